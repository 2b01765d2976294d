"""The error table: what went wrong, how often, with which entity of which organ, and where to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cabs.matching.alignment import AlignedPair, Alignment
from cabs.matching.settings import KINDS
from cabs.values import Fact, Kind

RELATED = "related_entity"
"""A hit by an is-a relative (match "hierarchical"), or a near hit: no error of its own, but worth a line."""


@dataclass(frozen=True, slots=True, order=True)
class Error:
    """One disagreement of a pair.

    `error` is one of the names of `cabs.matching.ErrorName`, or `related_entity`. `detail`: the attribute
    kind, "side", "place", "certainty", or the predicted entity of a related one; else "". `entity`, `name`
    and `organ` ("" where unknown) are those of the reference fact, or of the predicted one where there is no
    reference fact. `counts` is False for what the settings ignore.
    """

    error: str
    detail: str
    entity: str
    name: str
    organ: str
    section: str
    counts: bool


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One line of the table: `count` occurrences in `reports` pairs, the first of them as `examples`
    (ids)."""

    error: str
    detail: str
    entity: str
    name: str
    organ: str
    counts: bool
    count: int
    reports: int
    examples: tuple[str, ...]


def errors_of(alignment: Alignment, kinds: Sequence[Kind] = KINDS) -> tuple[Error, ...]:
    """Every error of one pair among facts of these kinds, sorted. None for an unread reference.

    A contradicted fact is listed as such, besides being missed, hallucinated or a hit.
    """
    if not alignment.reference.read:
        return ()
    found = [_of(fact, "missed") for fact in alignment.missed if fact.kind in kinds]
    found += [_of(fact, "hallucinated") for fact in alignment.hallucinated if fact.kind in kinds]
    found += [_of(c.fact, "contradicted", c.side) for c in alignment.contradictions if c.fact.kind in kinds]
    for pair in alignment.hits:
        if pair.reference.kind in kinds:
            found += _of_hit(pair)
    found += [_related(pair) for pair in alignment.near if pair.reference.kind in kinds]
    return tuple(sorted(found))


def _of(fact: Fact, error: str, detail: str = "", counts: bool = True) -> Error:
    return Error(error, detail, fact.entity, fact.name, fact.organ or "", fact.section, counts)


def _of_hit(pair: AlignedPair) -> Iterator[Error]:
    if not pair.exact:
        yield _related(pair)
    for d in pair.disagreements:
        yield _of(pair.reference, d.name, d.detail, d.counts)


def _related(pair: AlignedPair) -> Error:
    return _of(pair.reference, RELATED, pair.prediction.entity, counts=False)


@dataclass(slots=True)
class _Tally:
    count: int = 0
    reports: int = 0
    last: str | None = None
    examples: list[str] = field(default_factory=list)


def error_table(pairs: Iterable[tuple[str, Sequence[Error]]], examples: int = 5) -> tuple[ErrorRow, ...]:
    """The table of a run from (pair id, its errors), the most frequent first, then by name.

    Streams: memory grows with the distinct lines only. Sections are joined; an unlisted entity has a line per
    name. The examples are the first pairs in which the error occurs. () for no errors.
    """
    lines: dict[tuple[str, str, str, str, str, bool], _Tally] = {}
    for at, (pair_id, errors) in enumerate(pairs):
        seen = f"{at}"
        for e in errors:
            tally = lines.setdefault((e.error, e.detail, e.entity, e.name, e.organ, e.counts), _Tally())
            tally.count += 1
            if tally.last != seen:
                tally.last, tally.reports = seen, tally.reports + 1
                if len(tally.examples) < examples:
                    tally.examples.append(pair_id)
    rows = [ErrorRow(*key, t.count, t.reports, tuple(t.examples)) for key, t in lines.items()]
    return tuple(sorted(rows, key=_rank))


def _rank(row: ErrorRow) -> tuple[object, ...]:
    return -row.count, row.error, row.detail, row.entity, row.name, row.organ, row.counts
