"""Which facts without a partner are the same, as a server answered → the alignment with these hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cabs.llm.failure import RefusedError
from cabs.llm.shapes import Matches, shaped
from cabs.matching import Alignment, Matcher
from cabs.matching.canonical import conflict
from cabs.matching.item import Item
from cabs.values import OTHER, Issue

REFUSED = "pair_refused"
"""The issue of two facts that the answer takes for one and that can't be."""


def settled(
    said: str, alignment: Alignment, matcher: Matcher, refuse: Callable[[Issue], None] = lambda _: None
) -> Alignment:
    """The alignment with the pairs of an answer as hits besides its own. Ids: `R1` is the first missed fact, `P1` the
    first hallucinated one. A pair of two organs, of two sections where these are scored apart, or of two entities of
    which the ontology knows that neither is a kind of the other, is refused: it can be no hit. `refuse` is told each.

    Raises:
        RefusedError: the answer has another shape, or an id is not in the lists or comes twice.
    """
    ours = {f"R{n}": id(fact) for n, fact in enumerate(alignment.missed, 1)}
    theirs = {f"P{n}": id(fact) for n, fact in enumerate(alignment.hallucinated, 1)}
    left = {id(item.fact): at for at, item in enumerate(alignment.reference.items)}
    right = {id(item.fact): at for at, item in enumerate(alignment.prediction.items)}
    used: set[str] = set()
    added: list[tuple[int, int]] = []
    for match in shaped(said, Matches).matches:
        pair = match.reference.strip(), match.prediction.strip()
        if pair[0] not in ours or pair[1] not in theirs:
            raise RefusedError("it names an id that is not in the lists")
        if used & set(pair):
            raise RefusedError("it names an id twice")
        used |= set(pair)
        at = left[ours[pair[0]]], right[theirs[pair[1]]]
        if _may_meet(alignment.reference.items[at[0]], alignment.prediction.items[at[1]], matcher):
            added.append(at)
        else:
            refuse(Issue(REFUSED, "two facts that can't be one are said to be"))
    known = [(left[_id(pair.reference, left)], right[_id(pair.prediction, right)]) for pair in alignment.hits]
    made = matcher.laid_out(alignment.reference, alignment.prediction, sorted([*known, *added]))
    new = {id(alignment.reference.items[i].fact) for i, _ in added}
    return replace(
        made, hits=tuple(replace(p, exact=True) if id(p.reference) in new else p for p in made.hits)
    )  # the same in other words


def _id(fact: object, known: dict[int, int]) -> int:
    assert id(fact) in known  # hits hold the very facts of the canonical reports
    return id(fact)


def _may_meet(ours: Item, theirs: Item, matcher: Matcher) -> bool:
    if matcher.settings.scope == "section" and ours.fact.section != theirs.fact.section:
        return False
    known = OTHER not in (ours.head, theirs.head)
    is_a = matcher.ontology.is_a
    if known and not (ours.head == theirs.head or is_a(ours.head, theirs.head) or is_a(theirs.head, ours.head)):
        return False
    return not conflict(ours.organ, theirs.organ)
