"""What denies a fact: an absent fact of the same thing at its place, or a statement that its organ is
normal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from cabs.matching.agreement import Agreement
from cabs.matching.alignment import CanonicalReport, Contradiction
from cabs.matching.item import Item
from cabs.matching.places import Places
from cabs.matching.remembered import remembered
from cabs.matching.settings import Scope
from cabs.matching.weight import Weigher
from cabs.values import Normal

if TYPE_CHECKING:
    from cabs.ontology import Ontology

GONE = ("change", "resolved")
"""An absent fact with this attribute says that a thing is gone; it qualifies nothing."""


class Denials:
    """Finds contradictions, within a report and between two."""

    def __init__(self, ontology: Ontology, agreement: Agreement, places: Places, weigher: Weigher) -> None:
        self._ontology, self._agreement, self._places, self._weigher = ontology, agreement, places, weigher
        self._line = remembered(self._lineage)

    def denied(self, items: Sequence[Item], denials: Sequence[Item], scope: Scope) -> dict[int, int]:
        """For each denial (by its position) the first item that it denies, if there is one."""
        found: dict[int, int] = {}
        for denial, item in self._meetings(items, denials, scope):
            found.setdefault(denial, item)
        return found

    def _meetings(self, items: Sequence[Item], denials: Sequence[Item], scope: Scope) -> Iterator[tuple[int, int]]:
        """(denial, item) where the one denies the other, in order."""
        if not denials:
            return
        kinds: dict[str, list[int]] = {denial.entity: [] for denial in denials}
        for at, item in enumerate(items):
            for entity in kinds.keys() & self._line(item.entity):
                kinds[entity].append(at)
        for number, denial in enumerate(denials):
            for at in kinds[denial.entity]:
                if self._denies(denial, items[at], scope):
                    yield number, at

    def _lineage(self, entity: str) -> frozenset[str]:
        """An entity and all that it is a kind of: who denies one of these denies it."""
        try:
            return frozenset((entity, *self._ontology.ancestors(entity)))
        except KeyError:
            return frozenset((entity,))

    def _denies(self, denial: Item, item: Item, scope: Scope) -> bool:
        """Whether an absent item denies a present one that is of its kind: at a place that the denial
        reaches, with every quality that the denial names ("no large effusion" denies no small one)."""
        if denial.organ is not None and item.organ is not None and denial.organ != item.organ:
            return False
        if scope == "section" and denial.fact.section != item.fact.section:
            return False
        return denial.words == item.words and self._reaches(denial, item) and self._qualified(denial, item)

    def _reaches(self, denial: Item, item: Item) -> bool:
        if denial.sides and not (item.sides and item.sides <= denial.sides):
            return False
        if not denial.places:
            return True
        contains, places = self._places.contains, self._places.normal(denial.places, item.sides)
        return bool(item.places) and all(any(contains(d, p) for d in places) for p in item.places)

    def _qualified(self, denial: Item, item: Item) -> bool:
        for kind, qualities in denial.attributes.items():
            named = tuple(q for q in qualities if (q.kind, q.value) != GONE)
            carried = item.attributes.get(kind, ())
            if any(not any(self._agreement.carries(q, c) for c in carried) for q in named):
                return False
        return True

    def weighty_organs(self, items: Iterable[Item]) -> frozenset[str]:
        """The organs with a present abnormality of a weightier class than benign: no statement makes them
        normal."""
        return frozenset(item.organ for item in items if item.organ and self._weighty(item))

    def _weighty(self, item: Item) -> bool:
        return item.fact.kind == "abnormality" and self._weigher.significance(item.fact) != "benign"

    def contradictions(
        self,
        side: Literal["reference", "prediction"],
        report: CanonicalReport,
        other: CanonicalReport,
        scope: Scope,
    ) -> list[Contradiction]:
        """The present facts of `report` (it stands on `side`) that `other` denies, each with the first
        denial."""
        denied: dict[int, int] = {}
        for by, at in self._meetings(report.items, other.denials, scope):
            denied.setdefault(at, by)
        normals: dict[str | None, Normal] = {}
        for normal in other.normals:
            normals.setdefault(normal.organ, normal)
        found: list[Contradiction] = []
        for at, item in enumerate(report.items):
            if at in denied:
                found.append(Contradiction(side, item.fact, other.denials[denied[at]].fact))
            elif item.organ in normals and self._weighty(item):
                found.append(Contradiction(side, item.fact, normals[item.organ]))
        return found
