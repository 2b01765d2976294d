"""Counts → scores: a pure function, every name always present, None where a ratio is undefined."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from cabs.matching.settings import Settings
from cabs.metrics.counts import Counts
from cabs.metrics.definitions import metrics

MACRO: tuple[str, ...] = (
    "precision",
    "recall",
    "f1",
    "loc_acc",
    "att_acc",
    "fc_rate",
    "fc_f1",
    "or_rate",
    "or_precision",
    "or_recall",
    "or_f1",
    "fmor_rate",
    "certainty_acc",
    "weighted_f1",
    "cabs_score",
)
"""The metrics of a macro mean: those of a single report with findings."""


def score(counts: Counts, settings: Settings | None = None) -> dict[str, float | None]:
    """Every metric of `counts` (micro: pooled), by name; None where undefined. Of one report: its own
    scores."""
    return {name: metric.value(counts) for name, metric in metrics(settings).items()}


def macro(rows: Iterable[Counts], settings: Settings | None = None) -> dict[str, float | None]:
    """The mean of each report's own score over the references with K > 0: the same set for every system.

    A ratio that a report leaves undefined (the precision of a silent prediction) counts 0, since leaving it
    out would give each system a set of its own. All None where no reference has K > 0.
    """
    used = [row for row in rows if row.facts]
    table = metrics(settings)
    return {name: _mean([table[name].value(row) or 0.0 for row in used]) for name in MACRO}


def _mean(values: list[float]) -> float | None:
    return fsum(values) / len(values) if values else None
