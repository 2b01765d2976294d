"""A report → the tumors that it states, and two such sets side by side by CABS's alignment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock
from typing import Literal

from cabs.errors import SettingError
from cabs.matching import Matcher, Settings
from cabs.matching.alignment import CanonicalReport
from cabs.ontology import Ontology, load_ontology
from cabs.registry import offer
from cabs.scoring.tasks.tumor.compare import Compared, Comparer, largest_axis
from cabs.scoring.tasks.tumor.options import Comparing
from cabs.values import Fact, ParsedReport


@dataclass(frozen=True, slots=True)
class Sighted:
    """What a report says of tumors.

    - read: whether it was understood at all; one that was not says neither that there is a tumor nor that there is
      none.
    - report, tumors: the tumors in canonical form, one fact each.
    - largest: the largest axis of any in mm; None where no size is stated.
    """

    read: bool
    report: CanonicalReport
    tumors: tuple[Fact, ...]
    largest: float | None

    @property
    def present(self) -> bool:
        """Whether there is a tumor."""
        return bool(self.tumors)


class TumorReader:
    """Finds tumors and compares them under one ontology. Thread-safe; it holds no state that changes an answer.

    Raises `SettingError` where the ontology has no such group.
    """

    def __init__(self, ontology: Ontology, how: Comparing) -> None:
        if how.group not in ontology.groups:
            hint = offer(how.group, ontology.groups) if ontology.groups else "the ontology has none"
            raise SettingError(f"there is no group {how.group!r}", place="group", hint=hint)
        self.ontology, self.how, self.group = ontology, how, ontology.groups[how.group]
        # whatever the names, a tumor at an unknown organ may be the one at a known organ
        match: Literal["strict", "hierarchical"] = "strict" if how.names == "strict" else "hierarchical"
        self.matcher = Matcher(ontology, Settings(match=match))
        self._comparer = Comparer(ontology, self.group, how)

    def sighted(self, report: ParsedReport, organ: str | None = None) -> Sighted:
        """The tumors of a report, of one organ or (None) of any; those at an unknown organ count for every one that
        their places leave open."""
        found = [fact for fact in report.facts if self._counts(fact, organ)]
        read = report.read or bool(report.facts or report.normal)
        canonical = self.matcher.canonical(ParsedReport(tuple(map(self._as_compared, found)), (), read))
        sizes = [size for size in map(largest_axis, canonical.present) if size]
        return Sighted(read, canonical, canonical.present, max(sizes, default=None))

    def compared(self, reference: Sighted, prediction: Sighted) -> Compared:
        """Both sides' tumors, one to one, with the similarity of each attribute."""
        return self._comparer.compared(self.matcher.align(reference.report, prediction.report))

    def _counts(self, fact: Fact, organ: str | None) -> bool:
        if fact.status != "present" or (self.how.certainty == "definite" and fact.certainty != "definite"):
            return False
        at = self._organ(fact)
        if not self.ontology.in_group(self.how.group, fact.entity, at):
            return False
        return organ is None or organ == at or (at is None and self._may_lie_in(fact, organ))

    def _may_lie_in(self, fact: Fact, organ: str) -> bool:
        """Whether the places of a fact without an organ leave the organ open: the pelvis holds no liver."""
        within = {found for place in fact.location.ids for found in self.ontology.organs_in(place)}
        return not within or organ in within

    def _organ(self, fact: Fact) -> str | None:
        if fact.organ is not None:
            return fact.organ
        try:
            organs = self.ontology.entity(fact.entity).organs
        except KeyError:
            return None
        return organs[0] if len(organs) == 1 else None

    def _as_compared(self, fact: Fact) -> Fact:
        if self.how.names != "any":
            return fact
        organ, id = self._organ(fact), self.group.stands_for
        return replace(fact, entity=id, name=self.ontology.entity(id).label, organ=organ)


_MAKING = Lock()


def tumor_reader(ontology: Ontology | None, how: Comparing) -> TumorReader:
    """The reader of these options, made once in a process, however many threads ask."""
    with _MAKING:
        return _made(ontology or load_ontology(), how)


_made = lru_cache(maxsize=8)(TumorReader)
