"""How the facts of a reference fared in a prediction: what rewards are computed of, whoever judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from cabs.errors import InputError
from cabs.io.record import kind_of
from cabs.rewards.tags import SECTIONS
from cabs.values import Section

_FLAGS = {"hit": "hit", "location_match": "location", "attribute_match": "attributes", "certainty_match": "certainty"}
_REQUIRED = ("hit", "location_match", "attribute_match")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One fact of the reference: whether the prediction states it, and whether place, attributes and certainty agree.
    `contradicted`: the prediction denies it as well."""

    hit: bool
    location: bool = False
    attributes: bool = False
    certainty: bool = True
    contradicted: bool = False

    @property
    def alignment(self) -> float:
        """r of [TIF]: 1 for a hit whose place and attributes agree, 0.5 where one of them does, otherwise 0."""
        return (self.location + self.attributes) / 2 if self.hit else 0.0


MISSED = Verdict(hit=False)


@dataclass(frozen=True, slots=True)
class SectionJudgement:
    """`verdicts`: one a fact of the reference, in its order. `false_positives`: predicted facts that match none.
    `restated`: sentences that tell a fact of this section once more. `read`: something was recognised in the
    prediction."""

    verdicts: tuple[Verdict, ...] = ()
    false_positives: int = 0
    restated: int = 0
    read: bool = True

    @property
    def hits(self) -> int:
        """Facts of the reference that the prediction states."""
        return sum(verdict.hit for verdict in self.verdicts)


Judgement: TypeAlias = Mapping[Section, SectionJudgement]
"""One judgement a section; a section that is left out is not judged."""


def judgement_from(value: object, place: str = "judgement") -> Judgement:
    """A judgement as [TIF]'s judge writes it, by section: `{"findings": {"abnormalities": [{"hit", "location_match",
    "attribute_match"}], "false_positive": [{"name"}]}, "impression": ...}`. `certainty_match` may stand beside them.

    Raises:
        InputError: a section, a list or a flag is missing or of another type: nothing is guessed, since "false" in
            quotes would count as true.
    """
    if not isinstance(value, Mapping) or not any(name in value for name in SECTIONS):
        raise InputError(
            f"an object by section expected, found {kind_of(value)}", place=place, hint=" or ".join(SECTIONS)
        )
    if all(isinstance(value[name], SectionJudgement) for name in SECTIONS if name in value):
        return {name: value[name] for name in SECTIONS if name in value}
    return {name: _section(value[name], f"{place}.{name}") for name in SECTIONS if name in value}


def _section(value: object, place: str) -> SectionJudgement:
    if not isinstance(value, Mapping):
        raise InputError(f"an object expected, found {kind_of(value)}", place=place)
    verdicts = [
        _verdict(item, f"{place}.abnormalities[{i}]") for i, item in enumerate(_list(value, "abnormalities", place))
    ]
    return SectionJudgement(tuple(verdicts), len(_list(value, "false_positive", place)))


def _list(value: Mapping[str, Any], name: str, place: str) -> list[Any]:
    found = value.get(name)
    if not isinstance(found, list):
        raise InputError(f"{name!r} holds {kind_of(found)}, a list expected", place=place)
    return found


def _verdict(value: object, place: str) -> Verdict:
    if not isinstance(value, Mapping):
        raise InputError(f"an object expected, found {kind_of(value)}", place=place)
    for name in _REQUIRED:
        if name not in value:
            raise InputError(f"{name!r} is missing", place=place)
    flags = {ours: value[name] for name, ours in _FLAGS.items() if name in value}
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise InputError(f"{name} is {flag!r}, true or false expected", place=place)
    return Verdict(**flags)
