"""S_att: how alike an aligned pair of tumors is in size, location and enhancement, 0 to 1.

[E-MRL] has a language model say it; here CABS's alignment does (the specification, "Alignment").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cabs.matching import Alignment
from cabs.matching.agreement import same_size
from cabs.matching.alignment import AlignedPair
from cabs.ontology import Ontology
from cabs.ontology.rules import Group
from cabs.scoring.tasks.tumor.options import SLOTS, Comparing
from cabs.values import Attribute, Fact

LOCATION = SLOTS[1]


@dataclass(frozen=True, slots=True)
class Similarity:
    """Of one pair: slot → 0 to 1, or None where it does not apply. `stated`: the slots that the reference states; one
    that only the prediction states may apply too, as invented."""

    slots: Mapping[str, float | None]
    stated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two sets of tumors: the pairs, what only the reference and only the prediction has, and for each slot how many
    missed tumors state it."""

    pairs: tuple[Similarity, ...]
    missed: tuple[Fact, ...]
    extra: tuple[Fact, ...]
    missed_stating: Mapping[str, int]

    def similarity(self, slot: str) -> float | None:
        """S_att of a slot over the reports: the mean over pairs that it applies to and all tumors that only one side
        has, which count 0. None where it applies to no pair and no missed tumor, or there is no tumor at all."""
        values = [value for pair in self.pairs if (value := pair.slots[slot]) is not None]
        if not values and not self.missed_stating[slot]:
            return None
        return sum(values) / (len(values) + len(self.missed) + len(self.extra))


class Comparer:
    """Judges alignments of tumors of one group. Its answers depend on the ontology and the options alone."""

    def __init__(self, ontology: Ontology, group: Group, how: Comparing) -> None:
        self._how, self._kinds = how, ontology.attribute_kinds
        self._compared = {slot: frozenset(group.compared.get(slot, ())) for slot in SLOTS if slot != LOCATION}

    def compared(self, alignment: Alignment) -> Compared:
        """The tumors of an alignment; of the largest of the reference alone, where the options say so."""
        pairs, missed, extra = alignment.hits, alignment.missed, alignment.hallucinated
        if self._how.several == "largest" and (pairs or missed):
            first = max((*(p.reference for p in pairs), *missed), key=largest_axis)
            pairs = tuple(p for p in pairs if p.reference is first)
            missed, extra = tuple(f for f in missed if f is first), ()
        stating = {slot: sum(self._states(fact, slot) for fact in missed) for slot in SLOTS}
        return Compared(tuple(map(self._pair, pairs)), missed, extra, stating)

    def _states(self, fact: Fact, slot: str) -> bool:
        return slot == LOCATION or any(a.kind in self._compared[slot] for a in fact.attributes)

    def _pair(self, pair: AlignedPair) -> Similarity:
        slots = {slot: self._attribute(pair, self._compared[slot]) for slot in self._compared}
        stated = frozenset(slot for slot in SLOTS if self._states(pair.reference, slot))
        return Similarity({**slots, LOCATION: self._location(pair)}, stated)

    def _location(self, pair: AlignedPair) -> float:
        """1 where it agrees, `broader` where the prediction only says less, else 0. Nothing beyond the organ on either
        side agrees."""
        wrong = {d.name for d in pair.disagreements if d.slot == LOCATION and d.counts}
        if not wrong:
            return 1.0
        return self._how.broader if wrong == {"location_broader"} else 0.0

    def _attribute(self, pair: AlignedPair, kinds: frozenset[str]) -> float | None:
        """The share of the kinds stated by the reference that the prediction states compatibly; None where it states
        none, or 0 if the prediction then states one whose invention disagrees."""
        stated = sorted({a.kind for a in pair.reference.attributes} & kinds)
        wrong = {d.detail for d in pair.disagreements if d.detail in kinds and d.counts}
        if not stated:
            return 0.0 if wrong else None
        return sum(self._agrees(pair, kind, kind in wrong) for kind in stated) / len(stated)

    def _agrees(self, pair: AlignedPair, kind: str, wrong: bool) -> bool:
        ours, theirs = (_of(fact, kind) for fact in (pair.reference, pair.prediction))
        if self._kinds[kind].compare != "size" or not ours or not theirs:
            return not wrong
        how = self._how
        return all(any(same_size(r.mm, p.mm, how.size_tolerance, how.size_floor) for r in ours) for p in theirs)


def _of(fact: Fact, kind: str) -> list[Attribute]:
    return [attribute for attribute in fact.attributes if attribute.kind == kind and attribute.mm]


def largest_axis(fact: Fact) -> float:
    """The largest axis of a fact in mm; 0 where it has no size."""
    return max((axis for attribute in fact.attributes for axis in attribute.mm), default=0.0)
