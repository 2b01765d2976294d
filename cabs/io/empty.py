"""A file in which there is nothing to read: what it holds instead."""

from __future__ import annotations

from pathlib import Path

from cabs.errors import InputError
from cabs.io.encoding import BOM
from cabs.io.lines import name_of

TABLES = (".csv", ".tsv")


def holds_no(what: str, path: Path) -> InputError:
    """The error for a file in which no `what` was found: nothing at all, blank lines, a header or an empty list."""
    line, hint = _content(path)
    place = name_of(path) + (f":{line}" if line else "")
    return InputError(f"holds no {what}", place=place, hint=hint)


def _content(path: Path) -> tuple[int, str]:
    """The line of what the file holds (0: nothing), and what that is."""
    if str(path) == "-" or not path.is_file():
        return 0, "nothing came in"
    with path.open("rb") as handle:
        lines = enumerate(handle, 1)
        number, first = next(((n, text) for n, raw in lines if (text := raw.removeprefix(BOM).strip())), (0, b""))
    if not number:
        blank = path.read_bytes().removeprefix(BOM)
        return 0, "the file holds blank lines alone" if blank else "the file is empty"
    if path.suffix.lower() in TABLES:
        return number, "there is a header, and no row below it"
    kinds = {b"[": "an empty list", b"{": "an empty object"}
    return number, kinds.get(first[:1], "the table has no rows")
