"""The standard output, and a table without rows: what every drawing begins with. Needs nothing of the core,
so that a broken one can still be told of."""

from __future__ import annotations

import sys
from collections.abc import Container

from rich.console import Console
from rich.table import Table

from cabs.cli.visible import one_line

WIDE = 160
"""Columns of what goes to a file or a pipe."""


def console() -> Console:
    """The standard output, as wide as the terminal, or wide enough for whatever reads it."""
    return Console(width=None if sys.stdout.isatty() else WIDE, highlight=False, markup=False, emoji=False)


def empty_table(*columns: str, left: Container[int] = (0,)) -> Table:
    """A table without rows; the columns at `left` hold words, the others numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, column in enumerate(columns):
        table.add_column(one_line(column), justify="left" if i in left else "right", no_wrap=True)
    return table
