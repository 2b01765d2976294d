"""What denies a fact: an absent fact of the same thing at its place, or a statement that its organ is
normal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from cabs.matching.agreement import Agreement
from cabs.matching.alignment import CanonicalReport, Contradiction
from cabs.matching.item import Item
from cabs.matching.places import Places
from cabs.matching.settings import Scope
from cabs.matching.weight import Weigher
from cabs.values import OTHER, Normal

if TYPE_CHECKING:
    from cabs.ontology import Ontology

GONE = ("change", "resolved")
"""An absent fact with this attribute says that a thing is gone; it qualifies nothing."""


class Denials:
    """Finds contradictions, within a report and between two."""

    def __init__(self, ontology: Ontology, agreement: Agreement, places: Places, weigher: Weigher) -> None:
        self._ontology, self._agreement, self._places, self._weigher = ontology, agreement, places, weigher

    def denies(self, denial: Item, item: Item, scope: Scope) -> bool:
        """Whether an absent item denies a present one: the same entity or a kind of it, at a place that the
        denial reaches, with every quality that the denial names ("no large effusion" denies no small one)."""
        if denial.organ is not None and item.organ is not None and denial.organ != item.organ:
            return False
        if scope == "section" and denial.fact.section != item.fact.section:
            return False
        return (
            self._same_thing(denial, item) and self._reaches(denial, item) and self._qualified(denial, item)
        )

    def _same_thing(self, denial: Item, item: Item) -> bool:
        if denial.entity == OTHER or item.entity == OTHER:
            return denial.entity == item.entity and denial.words == item.words
        return denial.entity == item.entity or self._ontology.is_a(item.entity, denial.entity)

    def _reaches(self, denial: Item, item: Item) -> bool:
        if denial.sides and not (item.sides and item.sides <= denial.sides):
            return False
        contains = self._places.contains
        if not denial.places:
            return True
        return bool(item.places) and all(any(contains(d, p) for d in denial.places) for p in item.places)

    def _qualified(self, denial: Item, item: Item) -> bool:
        for kind, qualities in denial.attributes.items():
            named = tuple(q for q in qualities if (q.kind, q.value) != GONE)
            carried = item.attributes.get(kind, ())
            if any(not any(self._agreement.compatible(kind, (q,), (c,)) for c in carried) for q in named):
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
        if not other.denials and not other.normals:
            return []
        normals: dict[str, Normal] = {}
        for normal in other.normals:
            normals.setdefault(normal.organ, normal)
        found: list[Contradiction] = []
        for item in report.items:
            denial = next((d for d in other.denials if self.denies(d, item, scope)), None)
            if denial is not None:
                found.append(Contradiction(side, item.fact, denial.fact))
            elif item.organ in normals and self._weighty(item):
                found.append(Contradiction(side, item.fact, normals[item.organ]))
        return found
