"""Two readings of one report → their units: facts of both, of A alone, of B alone.

Facts are paired by the alignment that scores use, present and absent ones apart. That alignment has a reference and a
prediction; here neither reading is the truth, so the roles go by the content of the readings and never by their
order, and a slot agrees only if it agrees in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cabs.matching import CanonicalReport, Matcher
from cabs.matching.item import Item
from cabs.values import Fact, ParsedReport, Status


@dataclass(frozen=True, slots=True)
class UnitPair:
    """A fact that both readings have, as each states it. `exact`: the same entity; `differing`: the parts of slots
    that differ ("side", "place", "certainty" or an attribute kind)."""

    a: Item
    b: Item
    exact: bool
    differing: frozenset[str]

    @property
    def full(self) -> bool:
        """True where every slot agrees."""
        return self.exact and not self.differing and self.a.organ == self.b.organ


@dataclass(frozen=True, slots=True)
class Units:
    """The units of one report and one status."""

    pairs: tuple[UnitPair, ...]
    only_a: tuple[Fact, ...]
    only_b: tuple[Fact, ...]


class Pairing:
    """Pairs the facts of two readings of one report."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher

    def ready(self, report: ParsedReport) -> dict[Status, CanonicalReport]:
        """A reading in the form in which it is matched, its present and its absent facts apart."""
        canonical = self.matcher.canonical(report)
        denied = tuple(replace(fact, status="present") for fact in canonical.absent)
        return {"present": canonical, "absent": self.matcher.canonical(ParsedReport(denied, (), True))}

    def units(self, a: CanonicalReport, b: CanonicalReport) -> Units:
        """The units of two readings; both were made by `ready`."""
        turned = _content(b) < _content(a)
        first, second = (b, a) if turned else (a, b)
        alignment = self.matcher.align(first, second)
        items = {id(item.fact): item for item in (*a.items, *b.items)}
        pairs = []
        for hit in alignment.hits:
            ours, theirs = items[id(hit.reference)], items[id(hit.prediction)]
            differing = self._differing(ours, theirs) | self._differing(theirs, ours)
            pairs.append(UnitPair(*((theirs, ours) if turned else (ours, theirs)), hit.exact, differing))
        pairs.sort(key=lambda pair: (pair.a.order, pair.b.order))
        left = alignment.missed, alignment.hallucinated
        return Units(tuple(pairs), *(left[::-1] if turned else left))

    def _differing(self, reference: Item, prediction: Item) -> frozenset[str]:
        (hit,) = self.matcher.align(_alone(reference), _alone(prediction)).hits
        return frozenset(d.detail for d in hit.disagreements)


def _content(report: CanonicalReport) -> list[Any]:
    return [item.order for item in report.items]


def _alone(item: Item) -> CanonicalReport:
    return CanonicalReport((item.fact,), (), (), (), True, (item,))
