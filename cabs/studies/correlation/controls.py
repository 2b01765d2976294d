"""References → the controls: five systems that look at no image, between which every real system should lie.

They show what a metric pays for: the reference itself, nothing, one constant normal report, the most frequent findings
of the references, another study's reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import yaml

from cabs.errors import SettingError
from cabs.matching import Matcher
from cabs.ontology import Ontology
from cabs.values import OTHER, Pair, ParsedReport, QuotedReport

Report: TypeAlias = str | QuotedReport | ParsedReport
Read: TypeAlias = Callable[[Report], ParsedReport]

DATA = Path(__file__).with_name("controls.yaml")
NAMES = ("reference", "empty", "normal", "prevalence", "other")
"""Every control, in the order of tables."""


@dataclass(frozen=True, slots=True)
class Control:
    """One of `NAMES`: what tables call it, how it was made, and its prediction for each reference."""

    name: str
    label: str
    how: str
    predictions: tuple[Report, ...]


@dataclass(frozen=True)
class Maker:
    """Makes the controls of references. `read` gives the facts of a report; `normal`: the text of the normal report, or
    "" for the built-in one that fits."""

    ontology: Ontology
    matcher: Matcher
    read: Read
    seed: int = 0
    normal: str = ""

    def make(self, pairs: Sequence[Pair]) -> tuple[Control, ...]:
        """The controls, in the order of `NAMES`; the predictions are in the order of `pairs`. A single study has no
        other one."""
        references = [pair.reference for pair in pairs]
        normal, which = self._normal(references)
        template, findings = self._template(references)
        said = f"says the same of every study: {template}" if findings else "the references state no finding; as normal"
        others = _others(len(references), self.seed)
        found = (
            Control("reference", "reference itself", "the reference as its own prediction", tuple(references)),
            Control("empty", "empty", "a report without a word", ("",) * len(references)),
            Control("normal", "constant normal", which, (normal,) * len(references)),
            Control("prevalence", "prevalence template", said, (template or normal,) * len(references)),
            Control("other", "another reference", _how_other(self.seed), tuple(references[at] for at in others)),
        )
        return found if len(references) > 1 else found[:-1]

    def _normal(self, references: Iterable[Report]) -> tuple[str, str]:
        """The text of the normal report, and how it came; a given one may be private and isn't repeated."""
        if self.normal:
            return self.normal, f"a given text of {len(self.normal.split())} words"
        said = [_organs(self.read(reference)) for reference in references]

        def likeness(text: str) -> float:
            mine = _organs(self.read(text))
            return sum(2 * len(mine & theirs) / (len(mine) + len(theirs)) for theirs in said if theirs)

        texts: Mapping[str, str] = {entry["id"]: entry["text"] for entry in _data()["normal"]}
        chosen = max(texts, key=lambda id: likeness(texts[id]))  # the first of equals
        return texts[chosen], f"{chosen.replace('_', ' ')}: {texts[chosen]}"

    def _template(self, references: Sequence[Report]) -> tuple[str, int]:
        """The text with the most frequent findings, and how many they are.

        As many as give the best F1 that a constant list can have: with the k most frequent ones said of all n
        references, H of their K facts are met and F1 = 2H/(K + nk).
        """
        seen: dict[str, Counter[str]] = {}
        reports: Counter[str] = Counter()
        facts = 0
        for reference in references:
            items = self.matcher.canonical(self.read(reference)).items
            known = [item for item in items if item.fact.kind == "abnormality" and item.entity != OTHER]
            facts += len(known)
            reports.update({item.entity for item in known})
            for item in known:
                seen.setdefault(item.entity, Counter())["/".join(sorted(item.sides))] += 1
        ranked = sorted(reports, key=lambda entity: (-reports[entity], entity))
        told = [(entity, text) for entity in ranked if (text := self._sentence(entity, seen[entity]))]
        if not told:
            return "", 0
        hits = accumulate(reports[entity] for entity, _ in told)
        f1 = [2 * h / (facts + len(references) * k) for k, h in enumerate(hits, 1)]
        best = int(np.argmax(f1)) + 1
        return " ".join(text for _, text in told[:best]), best

    def _sentence(self, entity: str, sides: Counter[str]) -> str:
        """A sentence that states the finding, and the side that most references state; "" where it wouldn't be read as
        that finding."""
        data, label = _data(), self.ontology.entity(entity).label
        side = min(sides, key=lambda side: (-sides[side], side))
        named = data["sided"].format(side=side, finding=label) if side in ("right", "left") else label
        text: str = data["finding"].format(finding=named)
        facts = self.read(text).facts
        return text if [(fact.entity, fact.status) for fact in facts] == [(entity, "present")] else ""


def _organs(report: ParsedReport) -> set[str]:
    """The organs that a report speaks of, whatever it says."""
    found = [*(fact.organ for fact in report.facts), *(normal.organ for normal in report.normal)]
    return {organ for organ in found if organ is not None}


def _others(size: int, seed: int) -> list[int]:
    """For each study the place of another one's reference: the next one on a drawn round trip through all."""
    trip = np.random.default_rng(seed).permutation(size)
    after = np.empty(size, dtype=np.intp)
    after[trip] = np.roll(trip, -1)
    return [int(at) for at in after]


def _how_other(seed: int) -> str:
    return f"the reference of another study, drawn by seed {seed}, each used once"


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(DATA.read_text(encoding="utf-8"))
    return data


def read_normal(path: Path) -> str:
    """A normal report of the user's own: the text of a file.

    Raises:
        SettingError: it can't be read, or holds nothing.
    """
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"can't be read: {error}", place=str(path), hint="a text file in UTF-8") from None
    if not text:
        raise SettingError("holds no text", place=str(path), hint="for an empty report there is a control already")
    return text
