"""The choices that change a score, in one frozen record. Each of them stands in the signature of a result.

Source: the specification of CABS, "Alignment" and "Metrics"; the parameters that the TIF-GRPO paper leaves
open (arXiv 2605.20277) are `fidelity_over`, `fm_over` and `fm_base`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from cabs.errors import SettingError
from cabs.values import Kind

Match = Literal["strict", "hierarchical"]
Scope = Literal["report", "section"]

KINDS: tuple[Kind, ...] = ("abnormality", "device", "postoperative")

_CHOICES: dict[str, tuple[str, ...]] = {
    "match": ("strict", "hierarchical"),
    "location_extra": ("ignore", "disagree"),
    "attributes_extra": ("clinical", "ignore", "all"),
    "scope": ("report", "section"),
    "fidelity_over": ("reference", "hits"),
    "fm_over": ("consistent", "hit"),
    "fm_base": ("union", "reference"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How facts are matched and counted. Raises `SettingError` for a value outside the listed ones.

    - match: "strict" (a hit has the same entity) or "hierarchical" (an is-a relative may hit, ranked below
      it).
    - location_extra: a place or side that only the prediction states is counted and ignored, or disagrees.
    - attributes_extra: attribute kinds that only the prediction states disagree if "clinical" (those that the
      ontology marks so), for no kind ("ignore") or for every kind ("all").
    - scope: both sections as one report, or each section apart.
    - kinds: the kinds of facts that enter the counts, in the order of `KINDS`.
    - fidelity_over: FC-Rate over reference facts or over hits.
    - fm_over: an organ is fully matched if its reference facts are "consistent", or just "hit".
    - fm_base: FMOr-Rate over the organs of either side ("union") or of the reference.
    """

    match: Match = "strict"
    location_extra: Literal["ignore", "disagree"] = "ignore"
    attributes_extra: Literal["clinical", "ignore", "all"] = "clinical"
    scope: Scope = "report"
    kinds: tuple[Kind, ...] = ("abnormality",)
    fidelity_over: Literal["reference", "hits"] = "reference"
    fm_over: Literal["consistent", "hit"] = "consistent"
    fm_base: Literal["union", "reference"] = "union"

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                raise SettingError(f"{value!r} is no {name}", place=name, hint=f"one of: {', '.join(allowed)}")
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown or not self.kinds:
            what = f"{unknown[0]!r} is no kind of fact" if unknown else "no kind of fact is chosen"
            raise SettingError(what, place="kinds", hint=f"one or more of: {', '.join(KINDS)}")
        object.__setattr__(self, "kinds", tuple(kind for kind in KINDS if kind in self.kinds))

    def items(self) -> tuple[tuple[str, str], ...]:
        """The settings as (name, text) in a fixed order, for the signature."""
        return tuple((f.name, _text(getattr(self, f.name))) for f in fields(self))

    @classmethod
    def from_items(cls, items: Mapping[str, str]) -> Settings:
        """The settings that `items` (of a signature) name; other names are left alone, absent ones are
        defaults."""
        known = {f.name for f in fields(cls)}
        chosen: dict[str, object] = {name: text for name, text in items.items() if name in known}
        if "kinds" in chosen:
            chosen["kinds"] = tuple(str(chosen["kinds"]).split("+"))
        return cls(**chosen)  # type: ignore[arg-type]  # __post_init__ checks every value


def _text(value: object) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)
