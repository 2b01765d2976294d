"""How the accuracy of answers looks in a terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from cabs.cli.render import empty_table
from cabs.cli.render_audit import estimate
from cabs.cli.visible import one_line
from cabs.scoring.tasks.mcq.result import Scores, SystemScores


def mcq_table(system: SystemScores, *, named: bool) -> Table:
    """A row for all items, and one for each category where the records name any."""
    table = empty_table(system.label if named else "", "items", "answered", "correct", "chance", "accuracy")
    table.add_row(Text("all", style="bold"), *_cells(system.overall))
    if set(system.categories) != {""}:
        for name, scores in system.categories.items():
            table.add_row(f"  {one_line(name) or '(none)'}", *_cells(scores))
    return table


def _cells(scores: Scores) -> list[str]:
    counts = (str(n) for n in (scores.items, scores.answered, scores.correct))
    return [*counts, f"{scores.chance:.3f}", estimate(scores.accuracy)]
