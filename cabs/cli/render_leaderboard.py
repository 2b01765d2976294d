"""How a leaderboard looks in a terminal."""

from __future__ import annotations

from rich.table import Table

from cabs.cli.render import CELL, LABEL, NUMBER, empty_table
from cabs.cli.visible import one_line
from cabs.leaderboard.board import Board, Standing
from cabs.leaderboard.markdown import labels, names_shown
from cabs.leaderboard.tables import coverage, values
from cabs.scoring.result import cell

FIXED = LABEL + CELL + 3 * NUMBER
"""Columns that rank, group, system, the metric that ranks, and coverage take."""


def board_table(board: Board, width: int) -> Table:
    """The systems, the best first: as many metrics as fit, the one that ranks with its interval."""
    known = labels(board)
    shown = names_shown(board)[: max(1, 1 + (width - FIXED) // NUMBER)]
    table = empty_table("rank", "group", "system", *(known[name] for name in shown), "scored", "silent", left=(2,))
    for standing in board.standings:
        table.add_row(*_cells(board, standing, shown))
    return table


def _cells(board: Board, standing: Standing, shown: list[str]) -> list[str]:
    found, covered = values(board, standing), coverage(standing.entrant)
    value, low, high = found[shown[0]]
    first = cell(value, None) if low is None else f"{cell(value, None)} [{low:.3f}, {high:.3f}]"
    rank = "-" if standing.rank is None else str(standing.rank)
    numbers = [cell(found[name][0], None) for name in shown[1:]]
    silent = str(covered["missing"] + covered["unread"])
    return [
        rank, str(standing.group), one_line(standing.name), first, *numbers,
        f"{covered['scored']}/{covered['reports']}", silent,
    ]  # fmt: skip
