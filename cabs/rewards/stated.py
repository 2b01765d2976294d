"""An alignment in canonical form → verdicts on the facts as a report states them, in its order.

[TIF] judges listed entities: "effusions on both sides" is one of them, of which the canonical form makes a right and a
left fact. Such a fact is hit where one of its parts is, and its place agrees where all of them do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cabs.matching import Matcher
from cabs.matching.alignment import AlignedPair, CanonicalReport
from cabs.matching.item import Item
from cabs.rewards.judgement import MISSED, Verdict
from cabs.rewards.references import Stated
from cabs.values import Fact, Kind


def stated_verdicts(
    stated: Stated, hits: Iterable[AlignedPair], matcher: Matcher, kinds: Sequence[Kind]
) -> tuple[Verdict, ...]:
    """One verdict a present fact of the reference, in the order of its text."""
    met = {id(pair.reference): pair for pair in hits}
    parts = _parts(stated, matcher, kinds)
    return tuple(_verdict([met.get(id(fact)) for fact in facts]) for facts in parts)


def stated_false(stated: Stated, hallucinated: Iterable[Fact], matcher: Matcher, kinds: Sequence[Kind]) -> int:
    """How many present facts of a prediction, as it states them, have no part that is matched."""
    false = {id(fact) for fact in hallucinated}
    return sum(all(id(fact) in false for fact in facts) for facts in _parts(stated, matcher, kinds))


def _parts(stated: Stated, matcher: Matcher, kinds: Sequence[Kind]) -> list[list[Fact]]:
    """The canonical facts that each fact became a part of."""
    known = _by_group(stated.canonical)
    facts = [f for f in stated.report.facts if f.status == "present" and f.kind in kinds]
    return [[known[group] for item in matcher.items(fact) if (group := _group(item)) in known] for fact in facts]


def _by_group(canonical: CanonicalReport) -> Mapping[object, Fact]:
    return {_group(item): item.fact for item in canonical.items}


def _group(item: Item) -> object:
    """What canonical form keeps of a fact that it unites with others; a measured one it leaves as it is."""
    if item.measured:
        return item.fact
    return item.entity, item.words, item.organ, item.sides, item.certainty


def _verdict(pairs: Sequence[AlignedPair | None]) -> Verdict:
    met = [pair for pair in pairs if pair is not None]
    if not met:
        return MISSED
    return Verdict(
        hit=True,
        location=len(met) == len(pairs) and all(pair.location for pair in met),
        attributes=all(pair.attributes for pair in met),
        certainty=all(pair.certainty for pair in met),
    )
