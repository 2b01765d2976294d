"""JSON Lines: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from cabs.io.jsontext import parse_object
from cabs.io.lines import Line, name_of, numbered_lines
from cabs.io.record import Record

HINT = "each line holds one JSON object; name a file with one JSON document .json"


def records(path: Path) -> Iterator[Record]:
    """The records of a JSON Lines file. Blank lines are skipped and counted, so that places stay true.

    Raises:
        InputError: a line isn't a JSON object; the place is the file and the line.
    """
    yield from records_of(numbered_lines(path), name_of(path))


def records_of(lines: Iterable[Line], name: str) -> Iterator[Record]:
    """The same of lines of the file of this name."""
    for line in lines:
        if line.text.strip():
            place = f"{name}:{line.number}"
            yield Record(parse_object(line.text, place, HINT), place)
