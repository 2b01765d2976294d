"""A judgement on a text → the alignment that everything behind it counts."""

from __future__ import annotations

from dataclasses import replace

from cabs.llm.judgement import Extra, Hit, Judged
from cabs.llm.terms import Terms
from cabs.matching import Alignment, CanonicalReport, Matcher
from cabs.matching.item import Item
from cabs.matching.ruling import ruled
from cabs.values import Fact, Location, ParsedReport, QuotedFact, QuotedReport, Span


def laid_out(
    reference: CanonicalReport, found: Judged, said: ParsedReport, text: str, matcher: Matcher, terms: Terms
) -> tuple[ParsedReport, Alignment]:
    """The prediction as it was judged, and its alignment with the reference.

    Hits, slots and false facts are the judge's. `said`, the rules' reading of the same text, gives what the protocol
    does not ask for: the words of a hit's place and attributes, denials and statements of normality (so that
    contradictions are counted as ever), and whether the text says anything at all.
    """
    read = [item for fact in said.facts if fact.status == "present" for item in matcher.items(fact)]
    ours = reference.items
    hits = [_stated(ours[hit.at], hit, read, matcher) for hit in found.hits]
    extra = [_added(item, text, matcher, terms) for item in found.extra]
    items = sorted([*hits, *extra], key=lambda item: item.order)
    places = {id(item): at for at, item in enumerate(items)}
    told = matcher.canonical(said)
    theirs = CanonicalReport(
        present=tuple(item.fact for item in items),
        absent=told.absent,
        normals=told.normals,
        internal=(),
        read=said.read or bool(items),
        items=tuple(items),
        denials=told.denials,
    )
    pairs = [(hit.at, places[id(item)]) for hit, item in zip(found.hits, hits, strict=True)]
    aligned = matcher.laid_out(reference, theirs, pairs)
    rulings = [hit.ruling for hit in found.hits]
    settled = tuple(ruled(pair, r, matcher.cost) for pair, r in zip(aligned.hits, rulings, strict=True))
    absent = tuple(fact for fact in said.facts if fact.status == "absent")
    prediction = ParsedReport((*theirs.present, *absent), said.normal, theirs.read, (*said.issues, *found.issues))
    return prediction, replace(aligned, hits=settled)


def _stated(ours: Item, hit: Hit, read: list[Item], matcher: Matcher) -> Item:
    """The predicted side of a hit: what the rules read at its evidence, if they find the same entity there; else the
    reference's entity with nothing said of it."""
    near = [at for at, item in enumerate(read) if _meet(item.fact, hit.span) and item.head == ours.head]
    same = [at for at in near if read[at].sides == ours.sides] or near
    if same:
        return read.pop(same[0])  # one statement answers for one fact
    fact = replace(
        ours.fact, section=hit.section, side=None, location=Location(), attributes=(), mention=hit.span,
        evidence=(hit.span,), likelihood=None,
    )  # fmt: skip
    return matcher.items(fact)[0]


def _meet(fact: Fact, span: Span) -> bool:
    return any(start < span.end and span.start < end for start, end in (fact.mention, *fact.evidence))


def _added(extra: Extra, text: str, matcher: Matcher, terms: Terms) -> Item:
    """The fact of a false positive."""
    evidence = text[extra.span.start : extra.span.end]
    quoted = QuotedFact(extra.section, "present", extra.name, extra.organ, (), None, (), "definite", "", evidence)
    (fact,) = terms.quotes.read(QuotedReport((quoted,), None)).facts
    return matcher.items(replace(fact, mention=extra.span, evidence=(extra.span,)))[0]
