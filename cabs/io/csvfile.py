"""CSV and TSV with a header line."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cabs.errors import InputError
from cabs.io.lines import name_of, numbered_lines
from cabs.io.record import Record

LONGEST_CELL = 1 << 30
"""Characters; Python's own limit of 131,072 is shorter than a long report."""


@contextmanager
def long_cells() -> Iterator[None]:
    """Lets the module `csv` read cells as long as reports are."""
    # The limit belongs to the process, so it is put back.
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def records(path: Path) -> Iterator[Record]:
    """The rows of a CSV file (comma, or semicolon where the header has no comma) or a TSV file. A cell is
    text; an empty one is an empty text. Blank lines are skipped; the place of a row is the line that it
    starts on.

    Raises:
        InputError: the header names a column twice, or a row has another number of cells; the place is file
        and line.
    """
    name = name_of(path)
    with long_cells():
        rows = _rows(path, name)
        header = next(rows, None)
        if header is None:
            return
        columns = [cell.strip() for cell in header[1]]
        twice = sorted(column for column, times in Counter(columns).items() if times > 1)
        if twice:
            raise InputError(f"the header names {twice[0]!r} more than once", place=f"{name}:{header[0]}")
        for number, cells in rows:
            place = f"{name}:{number}"
            if len(cells) != len(columns):
                raise InputError(f"{len(cells)} cells, but the header has {len(columns)}", place=place, hint=_QUOTES)
            yield Record(dict(zip(columns, cells, strict=True)), place)


_QUOTES = 'a cell with commas or line breaks stands in double quotes, and a quote in it is written ""'


def _rows(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """(line on which the row starts, cells) of each row that isn't blank."""
    lines = (line.text + "\n" for line in numbered_lines(path))
    first = next(lines, None)
    if first is None:
        return
    reader = csv.reader(_chained(first, lines), delimiter=_delimiter(path, first), strict=True)
    start = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"not readable as CSV: {error}", place=f"{name}:{start}", hint=_QUOTES) from None
        if any(cell.strip() for cell in cells):
            yield start, cells
        start = reader.line_num + 1


def _chained(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _delimiter(path: Path, header: str) -> str:
    if path.suffix.lower() == ".tsv":
        return "\t"
    return ";" if "," not in header and ";" in header else ","
