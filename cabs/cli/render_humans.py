"""How metrics against people look in a terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from cabs.cli.render import empty_table
from cabs.cli.render_audit import estimate
from cabs.studies.humans import Humans
from cabs.studies.humans.result import Measures

MEASURES = {"tau_b": "Kendall τ-b", "spearman": "Spearman", "pearson": "Pearson", "preference": "preference"}


def agreements_table(result: Humans) -> Table:
    """A row a metric against the mean of the raters; below, the same with each rater left out, and what the raters
    themselves reach."""
    table = empty_table("", "n", *MEASURES.values())
    table.add_row(
        Text("against the mean of the raters" if len(result.raters) > 1 else "against the rater", style="bold")
    )
    for metric in result.metrics:
        table.add_row(f"  {metric.label}", str(metric.n), *_cells(metric.mean))
    if result.ceiling:
        table.add_row(Text("against all raters but one", style="bold"))
        for metric in result.metrics:
            table.add_row(f"  {metric.label}", str(metric.n), *_cells(metric.others))
        table.add_row("  (a rater)", str(result.full), *_cells(result.ceiling))
    return table


def orders_table(result: Humans) -> Table:
    """A row a metric: the share of stated orders that it keeps, whole and by category."""
    categories = sorted({name for metric in result.metrics for name in metric.categories})
    table = empty_table("", "orders kept", "equal ones equal")
    for metric in result.metrics:
        table.add_row(metric.label, *(estimate(metric.order[name]) for name in ("order", "equal")))
        for name in categories:
            table.add_row(f"  {name}", *(estimate(metric.categories[name][m]) for m in ("order", "equal")))
    return table


def _cells(measures: Measures) -> list[str]:
    return [estimate(measures[name]) for name in MEASURES]
