"""Counts → scores: a pure function, every name always present, None where a ratio is undefined."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum
from typing import TYPE_CHECKING

from cabs.matching.settings import Settings
from cabs.metrics.counts import Counts
from cabs.metrics.definitions import metrics

if TYPE_CHECKING:
    from cabs.metrics.rows import Floats

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
    from cabs.metrics.rows import Rows, values_of

    used = rows if isinstance(rows, Rows) else Rows(rows)
    with_facts = used.column("facts") != 0
    table = metrics(settings)
    return {name: _mean(values_of(table[name], used)[with_facts]) for name in MACRO}


def _mean(values: Floats) -> float | None:
    from cabs.metrics.rows import listed

    return fsum(0.0 if value != value else value for value in listed(values)) / len(values) if len(values) else None
