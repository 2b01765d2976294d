"""A leaderboard as a page of Markdown, for a README."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cabs.leaderboard.board import Board, Standing
from cabs.leaderboard.plain import markdown, web_address
from cabs.leaderboard.tables import coverage, values
from cabs.scoring.result import cell

SHOWN = ("fc_f1", "f1", "precision", "recall", "loc_acc", "att_acc", "or_f1", "cabs_score")
"""The metrics of facts in the table, after the one that ranks."""

SAID = (
    "Systems of one group were not told apart: paired randomisation of whole reports, each system against its upper "
    "neighbour and against the best, corrected for the number of tests (Holm), at 0.05."
)


def markdown_page(board: Board) -> str:
    """The page: a title, the table of systems, the tests in words, and the signature."""
    framed = board.framed
    lines = [f"# {markdown(framed.title)}", ""]
    if framed.description:
        lines += [markdown(framed.description), ""]
    ranked = "the higher the better" if board.metric.higher else "the lower the better"
    lines += [f"{board.reports} reports, ranked by {board.metric.label} ({ranked}).", ""]
    lines += table(board)
    lines += ["", SAID, ""]
    lines += [f"- {markdown(note)}" for note in board.notes]
    return "\n".join([*lines, "", f"`{board.signature}`", ""])


def names_shown(board: Board) -> list[str]:
    """The metrics of the table: the one that ranks first, those of words last."""
    first = board.metric.name
    return [first, *(n for n in SHOWN if n != first), *(m.name for m in board.surface.metrics)]


def labels(board: Board) -> dict[str, str]:
    """The name of every metric in tables."""
    return {n: m.label for n, m in board.metrics.items()} | {m.name: m.label for m in board.surface.metrics}


def table(board: Board) -> list[str]:
    """The rows of the table of systems."""
    known, shown = labels(board), names_shown(board)
    head = ["rank", "group", "system", *(known[name] for name in shown), "scored", "missing or unread"]
    return [_row(head), _row(["---"] * len(head)), *(_row(_cells(board, s, shown)) for s in board.standings)]


def _cells(board: Board, standing: Standing, shown: Sequence[str]) -> Iterable[str]:
    about, found, covered = standing.entrant.about, values(board, standing), coverage(standing.entrant)
    address = web_address(about.paper) or web_address(about.link)
    name = markdown(about.system)
    yield "-" if standing.rank is None else str(standing.rank)
    yield str(standing.group)
    yield f"[{name}](<{address}>)" if address else name
    for at, metric in enumerate(shown):
        value, low, high = found[metric]
        yield cell(value, None) if at or low is None else f"{cell(value, None)} [{low:.3f}, {high:.3f}]"
    yield f"{covered['scored']} of {covered['reports']}"
    yield str(covered["missing"] + covered["unread"])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
