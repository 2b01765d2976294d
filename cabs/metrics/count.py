"""An alignment → counts, whole or by organ, entity, section or kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from cabs.matching.align import Matcher
from cabs.matching.alignment import AlignedPair, Alignment, Contradiction
from cabs.matching.weight import Weigher
from cabs.metrics.cabs_score import cabs_score
from cabs.metrics.counts import SCORE, WEIGHT, Counts
from cabs.values import Fact

By = Literal["organ", "entity", "section", "kind"]


@dataclass(slots=True)
class _Part:
    """The pieces of an alignment that one set of counts is made of."""

    hits: list[AlignedPair] = field(default_factory=list)
    near: list[AlignedPair] = field(default_factory=list)
    missed: list[Fact] = field(default_factory=list)
    extra: list[Fact] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)


def count(alignment: Alignment, matcher: Matcher) -> Counts:
    """The counts of one pair over the facts of the settings' `kinds`; `matcher` is the one that aligned it.

    An unread reference gives `unscored` = 1 and nothing else. An unread prediction has missed every fact; of
    a reference without facts its CABS-Score is 0.
    """
    if not alignment.reference.read:
        return Counts(unscored=1)
    kinds = matcher.settings.kinds
    parts = _parts(alignment, lambda fact: "" if fact.kind in kinds else None)
    return _counts(parts.get("", _Part()), alignment, matcher, whole=True)


def count_by(alignment: Alignment, by: By, matcher: Matcher) -> dict[str, Counts]:
    """The counts of one pair, apart for each organ ("" where unknown), entity, section or kind that occurs in
    it.

    A hit belongs to its reference fact's key. Each key is counted as a report of its own that holds just
    these facts: `reports` are those in which the key occurs on either side, `normal_references` is 0. "kind"
    covers every kind, whatever `settings.kinds` says. Sorted by key; {} for an unread reference.
    """
    if not alignment.reference.read:
        return {}
    kinds = matcher.settings.kinds

    def key(fact: Fact) -> str | None:
        if by == "kind":
            return fact.kind
        return (getattr(fact, by) or "") if fact.kind in kinds else None

    parts = _parts(alignment, key)
    return {name: _counts(parts[name], alignment, matcher, whole=False) for name in sorted(parts)}


def _parts(alignment: Alignment, key: Callable[[Fact], str | None]) -> dict[str, _Part]:
    """The alignment by key; facts whose key is None are left out. Contradictions alone open no part."""
    parts: dict[str, _Part] = {}

    def part(fact: Fact) -> _Part | None:
        name = key(fact)
        return None if name is None else parts.setdefault(name, _Part())

    for pair in alignment.hits:
        if (mine := part(pair.reference)) is not None:
            mine.hits.append(pair)
    for fact in alignment.missed:
        if (mine := part(fact)) is not None:
            mine.missed.append(fact)
    for fact in alignment.hallucinated:
        if (mine := part(fact)) is not None:
            mine.extra.append(fact)
    for pair in alignment.near:
        mine, theirs = part(pair.reference), part(pair.prediction)
        if mine is not None and mine is theirs:
            mine.near.append(pair)
    for contradiction in alignment.contradictions:
        if (mine := part(contradiction.fact)) is not None:
            mine.contradictions.append(contradiction)
    return parts


def _counts(part: _Part, alignment: Alignment, matcher: Matcher, whole: bool) -> Counts:
    reference, prediction, weigher = alignment.reference, alignment.prediction, matcher.weigher
    facts = len(part.hits) + len(part.missed)
    score = round(SCORE * cabs_score(weigher, part.hits, part.near, part.missed, part.extra, part.contradictions))
    if not facts and not prediction.read:
        score = 0
    normal = whole and reference.normal
    location = [pair.location for pair in part.hits]
    attributes = [pair.attributes for pair in part.hits]
    return Counts(
        reports=1,
        prediction_read=int(prediction.read),
        normal_references=int(normal),
        normal_correct=int(normal and prediction.normal),
        with_facts=int(facts > 0),
        facts=facts,
        hits=len(part.hits),
        extra=len(part.extra),
        exact=sum(pair.exact for pair in part.hits),
        location_hits=sum(location),
        attribute_hits=sum(attributes),
        consistent=sum(a and b for a, b in zip(location, attributes, strict=True)),
        certainty_hits=sum(pair.certainty for pair in part.hits),
        contradicted=len(part.contradictions),
        **_organs(part, matcher.settings.scope == "section"),
        weight_hits=sum(_units(weigher, pair.reference) for pair in part.hits),
        weight_missed=sum(_units(weigher, fact) for fact in part.missed),
        weight_extra=sum(_units(weigher, fact) for fact in part.extra),
        critical_missed=sum(weigher.significance(fact) == "critical" for fact in part.missed),
        critical_invented=sum(weigher.significance(fact) == "critical" for fact in part.extra),
        cabs_facts=score if facts else 0,
        cabs_normal=0 if facts else score,
    )


def _units(weigher: Weigher, fact: Fact) -> int:
    return round(WEIGHT * weigher.weight(fact))


def _organs(part: _Part, sections: bool) -> dict[str, int]:
    """The organ counts; facts of unknown organ take no part. With `sections`, an organ counts in each
    section."""

    def organs(facts: list[Fact]) -> set[tuple[str, str]]:
        return {(fact.section if sections else "", fact.organ) for fact in facts if fact.organ is not None}

    hit, missed = organs([pair.reference for pair in part.hits]), organs(part.missed)
    extra = organs(part.extra)
    reference, prediction = hit | missed, organs([pair.prediction for pair in part.hits]) | extra
    full_hit = hit - missed - extra
    full = full_hit - organs([pair.reference for pair in part.hits if not pair.consistent])
    return {
        "organs_reference": len(reference),
        "organs_prediction": len(prediction),
        "organs_both": len(reference & prediction),
        "organs_either": len(reference | prediction),
        "organs_hit": len(hit),
        "organs_full": len(full),
        "organs_full_hit": len(full_hit),
    }
