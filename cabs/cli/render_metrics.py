"""How the list of metrics looks in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.metrics.pair_metric import PairMetric


def metrics_table(metrics: Sequence[PairMetric]) -> Table:
    """A row a metric; the last column says what is missing and how it comes."""
    rows = empty_table("metric", "family", "better", "of empty reports", "available", left={0, 1, 2, 3, 4})
    rows.columns[-1].no_wrap = rows.columns[-2].no_wrap = False
    for metric in metrics:
        better = "higher" if metric.higher else "lower"
        rows.add_row(metric.name, metric.family, better, str(metric.empty), _available(metric))
    return rows


def _available(metric: PairMetric) -> str:
    lacking = metric.needs.missing()
    own = "" if metric.package == "cabs" else f" ({metric.package})"
    return f"yes{own}" if lacking is None else f"no {lacking[0]}: {lacking[1]}"
