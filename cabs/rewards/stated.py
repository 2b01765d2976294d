"""An alignment in canonical form → verdicts on the facts as a report states them, in its order.

[TIF] judges listed entities: "effusions on both sides" is one of them, of which the canonical form makes a right and a
left fact. Such a fact is hit where one of its parts is, and its place agrees where all of them do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cabs.matching import Matcher
from cabs.matching.alignment import CanonicalReport
from cabs.matching.item import Item
from cabs.rewards.judgement import MISSED, Verdict
from cabs.rewards.references import Stated
from cabs.values import Fact, Kind


def stated_verdicts(
    stated: Stated, hits: Mapping[int, Verdict], matcher: Matcher, kinds: Collection[Kind]
) -> tuple[Verdict, ...]:
    """One verdict a present fact of the reference, in the order of its text; `hits`: by a canonical fact's `id`."""
    return tuple(_verdict([hits.get(id(fact)) for fact in facts]) for facts in _parts(stated, matcher, kinds))


def stated_false(stated: Stated, false: Collection[int], matcher: Matcher, kinds: Collection[Kind]) -> int:
    """How many present facts of a prediction, as it states them, have no part that is matched; `false`: the `id`s of
    the canonical facts that are not."""
    return sum(all(id(fact) in false for fact in facts) for facts in _parts(stated, matcher, kinds))


def _parts(stated: Stated, matcher: Matcher, kinds: Collection[Kind]) -> list[list[Fact]]:
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


def _verdict(parts: Sequence[Verdict | None]) -> Verdict:
    met = [part for part in parts if part is not None]
    if not met:
        return MISSED
    return Verdict(
        hit=True,
        location=len(met) == len(parts) and all(part.location for part in met),
        attributes=all(part.attributes for part in met),
        certainty=all(part.certainty for part in met),
        contradicted=any(part.contradicted for part in met),
    )
