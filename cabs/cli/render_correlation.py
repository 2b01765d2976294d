"""How the correlation study looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from cabs.cli.render import CELL, empty_table
from cabs.cli.render_audit import estimate
from cabs.scoring.result import cell
from cabs.studies.correlation import Correlation
from cabs.studies.correlation.page import LEVELS
from cabs.studies.correlation.result import MetricRow
from cabs.studies.correlation.shortened import shortened

LABEL, NUMBER, LONGEST = 24, 12, 22
RANK = "mean rank"


def systems_tables(result: Correlation, width: int, bounds: bool) -> Iterator[Table]:
    """Systems × metrics, family by family, in as many tables as the width needs; with `bounds` each value has its
    interval."""
    fitting = max(1, (width - LABEL - NUMBER) // (CELL + 2 if bounds else NUMBER))
    for family in result.families:
        metrics = result.of_family(family)
        for start in range(0, len(metrics), fitting):
            yield _systems(result, family, metrics[start : start + fitting], bounds)


def _systems(result: Correlation, family: str, metrics: Sequence[MetricRow], bounds: bool) -> Table:
    table = empty_table(family, *(metric.label for metric in metrics), RANK)
    for system in result.systems:
        name = shortened(system.label, LONGEST)
        values = (system.values[metric.name] for metric in metrics)
        shown = [cell(v.value, v.interval if bounds else None) for v in values]
        rank = system.ranks[family].value
        mark = f"({name})" if system.control else name
        table.add_row(mark, *shown, "-" if rank is None else f"{rank:.1f}")
    return table


def families_table(result: Correlation) -> Table:
    """The mean coefficients within and across families, on every level."""
    table = empty_table("mean Spearman", *(LEVELS[name] for name in result.levels))
    levels = result.levels.values()
    for a, b in result.levels["systems"].families:
        title = f"within {a}" if a == b else f"{a} and {b}"
        table.add_row(title, *(estimate(level.families[a, b]) for level in levels))
    for name, title in (("within", "all within"), ("across", "all across"), ("difference", "difference")):
        table.add_row(title, *(estimate(getattr(level, name)) for level in levels))
    return table
