"""How the scores of tumors look in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.table import Table
from rich.text import Text

from cabs.cli.render import CELL, LABEL, empty_table
from cabs.scoring.result import cell
from cabs.scoring.tasks.tumor.counts import Over, TumorCounts, metrics
from cabs.scoring.tasks.tumor.judge import ANYWHERE
from cabs.scoring.tasks.tumor.result import Scope, TumorResult, TumorSystem

COUNTED: Mapping[str, str] = {
    "reports": "units", "with a tumor": "present", "found": "present_found", "without one": "absent",
    "rejected": "absent_found", "predictions not read": "unread", "tumors": "tumors", "hits": "hits", "false": "extra",
}  # fmt: skip
"""Row → the count that it shows."""


def tumor_tables(result: TumorResult, over: Over, width: int) -> Iterator[Table]:
    """Systems beside each other where reports were judged as a whole; else a table a system, its organs beside each
    other, with their mean and all of them pooled."""
    if all(set(system.organs) <= {ANYWHERE} for system in result.systems):
        yield _table("", {system.label: system.pooled for system in result.systems}, over, width)
        return
    for system in result.systems:
        yield _table(system.label if len(result.systems) > 1 else "", _scopes(system), over, width)


def _scopes(system: TumorSystem) -> dict[str, Scope]:
    return {**system.organs, "mean": system.mean, "pooled": system.pooled}


def _table(title: str, scopes: Mapping[str, Scope], over: Over, width: int) -> Table:
    table = empty_table(title, *scopes)
    fitting = len(scopes) <= max(1, (width - LABEL) // CELL)
    for name, metric in metrics(over).items():
        cells = (cell(s.scores[name], s.intervals.get(name) if fitting else None) for s in scopes.values())
        table.add_row(metric.label, *cells)
    table.add_row(Text("counts", style="bold"))
    for label, name in COUNTED.items():
        table.add_row(f"  {label}", *(_count(scope.counts, name) for scope in scopes.values()))
    return table


def _count(counts: TumorCounts | None, name: str) -> str:
    return "" if counts is None else str(getattr(counts, name))
