"""Tallies → the result of a run: sums, ratios, intervals, and what a reader should be warned of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cabs.matching import Settings
from cabs.metrics import Counts, macro, metrics, score
from cabs.ontology import Ontology
from cabs.scoring.editorial import editorial_share
from cabs.scoring.left_out import left_out
from cabs.scoring.result import Result, SystemResult
from cabs.scoring.tally import Tallies, Tally
from cabs.signature import Signature

if TYPE_CHECKING:
    from cabs.metrics.intervals import Interval, Resampling


def summarise(
    tallies: Tallies, signature: Signature, settings: Settings, resampling: Resampling, ontology: Ontology
) -> Result:
    """The result of a run from its tallies, systems in the order in which they first came."""
    systems = tuple(_system(tally, settings, resampling, ontology) for tally in tallies.by_system.values())
    return Result(signature, settings, resampling, systems, tuple(_across(systems)))


def _system(tally: Tally, settings: Settings, resampling: Resampling, ontology: Ontology) -> SystemResult:
    from cabs.metrics.intervals import intervals

    counts = tally.rows.total() + Counts(unscored=len(tally.unscored))
    table = metrics(settings)
    clusters = tally.clusters if tally.clustered else None
    found = intervals(tally.rows, table, resampling, clusters) if resampling.n else dict.fromkeys(table)
    return SystemResult(
        system=tally.system,
        counts=counts,
        scores=score(counts, settings),
        intervals=found,
        macro=macro(tally.rows, settings),
        by={group: dict(sorted(keys.items())) for group, keys in tally.by.items()},
        errors=tuple(tally.error_rows()),
        unscored=tally.unscored,
        silent=tally.silent,
        issues=dict(sorted(tally.issues.items())),
        editorial_share=editorial_share(tally.by["entity"], ontology),
        warnings=tuple(_warnings(tally, found)),
        ids=tally.ids,
        rows=tally.rows,
        clusters=tally.clusters,
    )


def _warnings(tally: Tally, found: dict[str, Interval | None]) -> list[str]:
    out = list(left_out(tally.unscored, tally.silent, "missed everything"))
    known = [interval for interval in found.values() if interval is not None]
    few = min((i.contributing for i in known if i.few), default=None)
    if few is not None:
        out.append(f"only {few} reports contribute to some intervals: they cover less than they say")
    if any(i.fallback for i in known):
        out.append("some intervals are percentile ones, since BCa is not defined there")
    return out


def _across(systems: Sequence[SystemResult]) -> list[str]:
    """Systems are compared on the same references; where one lacks some, its numbers are about other
    reports."""
    if all(s.ids == systems[0].ids and s.unscored.ids == systems[0].unscored.ids for s in systems):
        return []
    sets = [set(s.ids).union(s.unscored.ids) for s in systems]
    everything = set().union(*sets)
    return [
        f"system {s.label!r} has no prediction for {len(everything - ids)} references that other systems have"
        for s, ids in zip(systems, sets, strict=True)
        if ids != everything
    ]
