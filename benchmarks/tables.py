"""Rows → a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table; the second one separates head and body."""
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def table(head: Sequence[str], body: Sequence[Sequence[object]]) -> str:
    """A head and rows of cells; numbers with three decimals, nothing as a dash."""
    return markdown([list(head), ["---"] * len(head), *([cell(value) for value in row] for row in body)])


def cell(value: object) -> str:
    """A value as a cell."""
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
