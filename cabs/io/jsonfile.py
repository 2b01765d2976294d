"""JSON: a list of records, an object of records by id, or one record."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from cabs.errors import InputError
from cabs.io import jsonl
from cabs.io.fields import FIRST_KEYS, plain
from cabs.io.jsonstream import Entry, entries
from cabs.io.lines import name_of, opened
from cabs.io.record import Record, kind_of


def records(path: Path) -> Iterator[Record]:
    """The records of a JSON file: `[{...}, ...]`, `{"id": {...}, ...}`, `{"id": "text", ...}` or one `{...}`.
    JSON Lines under this name are read as such.

    Raises:
        InputError: it isn't JSON, or an entry isn't a record; the place is the file and the line.
    """
    if str(path) != "-" and holds_lines(path):
        yield from jsonl.records(path)
        return
    stream = entries(path)
    first = next(stream, None)
    if first is None:
        return
    if first.key is not None and plain(first.key) in FIRST_KEYS:
        members = {entry.key or "": entry.value for entry in itertools.chain([first], stream)}
        yield Record(members, name_of(path))
        return
    for entry in itertools.chain([first], stream):
        yield _record(entry)


def _record(entry: Entry) -> Record:
    if isinstance(entry.value, dict):
        return Record(entry.value, entry.place, entry.key)
    if isinstance(entry.value, str) and entry.key is not None:
        return Record({"text": entry.value}, entry.place, entry.key)
    what = "each entry is an object" if entry.key is None else f"entry {entry.key!r} is an object or a report's text"
    raise InputError(f"a record expected, found {kind_of(entry.value)}", place=entry.place, hint=what)


def holds_lines(path: Path) -> bool:
    """True if the first two lines that aren't blank are JSON objects of their own."""
    with opened(path) as handle:
        filled = (line for line in handle if line.strip())
        return all(_is_object(line) for line in [next(filled, b""), next(filled, b"")])


def _is_object(line: bytes) -> bool:
    if not line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
