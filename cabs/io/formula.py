"""Cells that a spreadsheet program may run instead of showing them, made harmless."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cabs.io.tables import Cell

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell starts with that a spreadsheet program may run instead of showing it (OWASP, "CSV injection")."""
QUOTE = "'"
VARIABLE = "CABS_HARMLESS_CSV"
"""Set to anything but "" and "0", it makes every CSV file of results harmless; `cabs --harmless-csv` sets it. It is a
variable of the environment so that the processes of a run have it too."""


def harmless(cell: Cell) -> Cell:
    """A cell that no program takes for a formula: a text that starts like one gets an apostrophe; `restored` takes it
    away again.

    >>> harmless("=1+1"), harmless("-3 mm"), harmless(-3), harmless("plain")
    ("'=1+1", "'-3 mm", -3, 'plain')
    """
    return QUOTE + cell if isinstance(cell, str) and cell.startswith((*FORMULA, QUOTE)) else cell


def restored(text: str) -> str:
    """The text that `harmless` was given; any other text stays as it is.

    >>> restored("'=1+1"), restored("''s"), restored("'s")
    ('=1+1', "'s", "'s")
    """
    return text[1:] if text[:1] == QUOTE and text[1:].startswith((*FORMULA, QUOTE)) else text


def asked() -> bool:
    """Whether the user wants no cell of a CSV file to be a formula."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def as_asked(cell: Cell) -> Cell:
    """A cell as a CSV file of results has it: as it is, so that programs read what was there, or harmless where the
    user has asked for it. One that has its apostrophe already is left alone."""
    if isinstance(cell, str) and cell.startswith(FORMULA) and asked():
        return harmless(cell)
    return cell
