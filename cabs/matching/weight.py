"""How much a fact matters: the class of its entity, shifted by what is said of it.

Source: the specification of CABS, "Clinical weight and CABS-Score". Classes, weights and shifts are the
ontology's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cabs.matching.remembered import remembered
from cabs.ontology.model import Significance
from cabs.values import OTHER, Attribute, Fact

if TYPE_CHECKING:
    from cabs.ontology import Ontology
    from cabs.ontology.rules import SizeShift

CLASSES: tuple[Significance, ...] = ("benign", "minor", "actionable", "critical")
"""From the lightest to the weightiest; a shift goes one step along it."""


class Weigher:
    """Weighs facts under one ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._weighed = remembered(self._weigh)

    def significance(self, fact: Fact) -> Significance:
        """The clinical class of a fact: its entity's, one step up or down where the sum of its shifts says
        so."""
        return self._weighed(fact.entity, fact.attributes)

    def weight(self, fact: Fact) -> float:
        """The weight of a fact's class: 1 (critical), 0.5, 0.25 or 0.1 (benign), unless the ontology says
        otherwise."""
        return self._ontology.weights.weights[self.significance(fact)]

    def _weigh(self, entity: str, attributes: tuple[Attribute, ...]) -> Significance:
        largest = max((axis for a in attributes for axis in a.mm), default=0.0)
        try:
            own = self._ontology.significance(entity)
        except KeyError:
            own = self._ontology.significance(OTHER)
        step = self._by_values(attributes) + (self._by_size(entity, largest) if largest else 0)
        at = CLASSES.index(own) + max(-1, min(1, step))
        return CLASSES[max(0, min(len(CLASSES) - 1, at))]

    def _by_values(self, attributes: tuple[Attribute, ...]) -> int:
        kinds = self._ontology.attribute_kinds
        records = (kinds[a.kind].values.get(a.value) for a in attributes if a.value and a.kind in kinds)
        return sum(record.significance_shift for record in records if record is not None)

    def _by_size(self, entity: str, largest: float) -> int:
        return next((rule.shift for rule in self._ontology.size_shifts if self._applies(rule, entity, largest)), 0)

    def _applies(self, rule: SizeShift, entity: str, largest: float) -> bool:
        if rule.at_least_mm is not None and largest < rule.at_least_mm:
            return False
        if rule.below_mm is not None and largest >= rule.below_mm:
            return False
        return self._ontology.is_a(entity, rule.is_a)
