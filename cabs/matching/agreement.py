"""One reference fact against one predicted fact, slot by slot.

Source: the specification of CABS, "Alignment". Side and place are judged apart: a slot that only the
reference states disagrees, one that only the prediction states is unsupported.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from cabs.matching.item import Item
from cabs.matching.places import Places
from cabs.matching.remembered import remembered
from cabs.ontology.model import AttributeKind
from cabs.values import Attribute

if TYPE_CHECKING:
    from cabs.ontology import Ontology

SIZE_FLOOR_MM = 2.0
"""Axes within this many millimetres are the same, however small the lesion; beyond it the ontology's
tolerance (a share of the reference's largest axis) decides."""
EVIDENCE = 1000
"""Units of net slot evidence per cost of 1."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Outcome(IntEnum):
    """What a slot says: `BROADER`: the prediction says less than the reference; `OMITTED`: it says nothing;
    `EXTRA`: only the prediction says something."""

    AGREE = 0
    BROADER = 1
    OMITTED = 2
    WRONG = 3
    EXTRA = 4


class Verdict(NamedTuple):
    """The outcome for one part of a slot: "side", "place", "certainty" or an attribute kind."""

    detail: str
    outcome: Outcome


class Agreement:
    """Judges pairs of items. Its answers depend on the ontology alone."""

    def __init__(self, ontology: Ontology, places: Places) -> None:
        self._kinds, self._places = ontology.attribute_kinds, places
        costs = {**ontology.slot_costs, **{kind.kind: kind.cost for kind in self._kinds.values()}}
        self._units = {detail: round(cost * EVIDENCE) for detail, cost in costs.items()}
        self._costs: dict[str, float] = costs
        self._values_agree = remembered(self._compare_values)

    def cost(self, detail: str) -> float:
        """The share of a fact's weight that a wrong part of a slot takes (0 to 1); 0 for an unknown one."""
        return self._costs.get(detail, 0.0)

    def clinical(self, kind: str) -> bool:
        """Whether an attribute kind disagrees where only the prediction states it."""
        record = self._kinds.get(kind)
        return record is not None and record.clinical

    def verdicts(self, reference: Item, prediction: Item) -> tuple[Verdict, ...]:
        """The outcome of every part of a slot that either side states, in a fixed order."""
        found: list[Verdict] = []
        sides = _stated(bool(reference.sides), bool(prediction.sides))
        if sides is Outcome.AGREE and reference.sides != prediction.sides:
            sides = Outcome.WRONG
        if sides is not None:
            found.append(Verdict("side", sides))
        place = _stated(bool(reference.places), bool(prediction.places))
        if place is Outcome.AGREE and reference.places != prediction.places:
            place = self._place(reference, prediction, sides)
        if place is not None:
            found.append(Verdict("place", place))
        if reference.attributes or prediction.attributes:
            found.extend(self._attributes(reference.attributes, prediction.attributes))
        same = reference.fact.certainty == prediction.fact.certainty
        found.append(Verdict("certainty", Outcome.AGREE if same else Outcome.WRONG))
        return tuple(found)

    def evidence(self, reference: Item, prediction: Item) -> tuple[int, int]:
        """(net slot evidence, agreeing slots): a slot that both state adds its cost if they agree and takes
        it if they conflict; in units of `EVIDENCE`."""
        net = agreeing = 0
        for detail, outcome in self.verdicts(reference, prediction):
            if outcome is Outcome.AGREE:
                net += self._units.get(detail, 0)
                agreeing += 1
            elif outcome is Outcome.WRONG:
                net -= self._units.get(detail, 0)
        return net, agreeing

    # Places

    def _place(self, reference: Item, prediction: Item, sides: Outcome | None) -> Outcome:
        """Where the sides differ, the side says so; the place is judged as if both were on one side."""
        ours, theirs = reference.places, prediction.places
        if sides is Outcome.OMITTED:
            theirs = self._places.normal(theirs, reference.sides)
        elif sides is Outcome.EXTRA:
            ours = self._places.normal(ours, prediction.sides)
        outcome = self._nested(ours, theirs)
        if sides is Outcome.WRONG and outcome is not Outcome.AGREE:
            return min(outcome, self._nested(ours, tuple(map(self._places.mirror, theirs))))
        return outcome

    def _nested(self, reference: tuple[str, ...], prediction: tuple[str, ...]) -> Outcome:
        contains = self._places.contains
        strays = [p for p in prediction if self._places.anchored(p) and not any(contains(r, p) for r in reference)]
        if not strays and all(any(contains(r, p) for p in prediction) for r in reference):
            return Outcome.AGREE
        return Outcome.BROADER if all(any(contains(p, r) for r in reference) for p in strays) else Outcome.WRONG

    # Attributes

    def _attributes(
        self, reference: dict[str, tuple[Attribute, ...]], prediction: dict[str, tuple[Attribute, ...]]
    ) -> list[Verdict]:
        found: list[Verdict] = []
        for kind, values in reference.items():
            predicted = prediction.get(kind)
            if predicted is None:
                found.append(Verdict(kind, Outcome.OMITTED))
            else:
                agree = self.compatible(kind, values, predicted)
                found.append(Verdict(kind, Outcome.AGREE if agree else Outcome.WRONG))
        found.extend(Verdict(kind, Outcome.EXTRA) for kind in prediction if kind not in reference)
        return found

    def compatible(self, kind: str, reference: tuple[Attribute, ...], prediction: tuple[Attribute, ...]) -> bool:
        """Whether no predicted value of a kind is incompatible with what the reference says of it."""
        record = self._kinds.get(kind)
        if record is None or record.compare == "free":
            return True
        every = record.compare == "set"  # values stand beside each other: a value must fit all of them
        for p in prediction:
            fits = (self._agree(record, r, p) for r in reference)
            if not (all(fits) if every else any(fits)) and not any(_same(r, p) for r in reference):
                return False
        return True

    def carries(self, quality: Attribute, attribute: Attribute) -> bool:
        """Whether an attribute of the same kind states a quality: not just without conflict, but this one."""
        kind = self._kinds.get(quality.kind)
        if quality.mm and attribute.mm and kind is not None:
            return self._agree(kind, quality, attribute)
        if quality.value is None or attribute.value is None:
            return quality.text.lower().split() == attribute.text.lower().split()
        if kind is None or kind.compare in ("set", "free"):
            return quality.value == attribute.value
        return self._values_agree(kind.kind, quality.value, attribute.value)

    def _agree(self, kind: AttributeKind, reference: Attribute, prediction: Attribute) -> bool:
        if reference.mm and prediction.mm:
            return same_size(reference.mm, prediction.mm, kind.tolerance)
        if reference.value is None or prediction.value is None:
            return _unlisted(reference, prediction)
        return self._values_agree(kind.kind, reference.value, prediction.value)

    def _compare_values(self, kind_id: str, a: str, b: str) -> bool:
        kind = self._kinds[kind_id]
        first, second = kind.values.get(a), kind.values.get(b)
        if a == b or first is None or second is None:
            return True
        if kind.compare == "set":
            return b not in first.opposites and a not in second.opposites
        if b in first.compatible or a in second.compatible:
            return True
        if kind.compare == "ordered" and first.rank is not None and second.rank is not None:
            return abs(first.rank - second.rank) <= kind.tolerance + 1e-9
        return kind.compare == "size"


def same_size(
    reference: tuple[float, ...], prediction: tuple[float, ...], share: float, floor: float = SIZE_FLOOR_MM
) -> bool:
    """Whether two measurements (axes in mm, largest first) are the same size: every axis that both have differs by no
    more than `floor` mm or `share` of the reference's largest axis, whichever is more.

    >>> same_size((20.0,), (24.0,), 0.2), same_size((20.0,), (24.1,), 0.2), same_size((5.0,), (7.0,), 0.2)
    (True, False, True)
    """
    allowed = max(floor, share * max(reference))
    return all(abs(r - p) <= allowed + 1e-9 for r, p in zip(reference, prediction, strict=False))


def _stated(reference: bool, prediction: bool) -> Outcome | None:
    """AGREE (to be looked at) where both state it; None where neither does."""
    if reference:
        return Outcome.AGREE if prediction else Outcome.OMITTED
    return Outcome.EXTRA if prediction else None


def _same(reference: Attribute, prediction: Attribute) -> bool:
    """Whether both say the very same: what a report says twice over, it agrees with itself."""
    if reference.value or prediction.value:
        return reference.value == prediction.value
    return (reference.text.lower().split(), reference.mm) == (prediction.text.lower().split(), prediction.mm)


def _unlisted(reference: Attribute, prediction: Attribute) -> bool:
    """Words that the ontology lists no value for: they conflict only if both name numbers, and other ones."""
    numbers = _NUMBER.findall(reference.text), _NUMBER.findall(prediction.text)
    return not all(numbers) or numbers[0] == numbers[1] or bool(reference.mm or prediction.mm)
