"""Files to report texts, for `cabs parse`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.encoding import BOM
from cabs.io.fields import lacking
from cabs.io.lines import check_mark, decoded, name_of, opened
from cabs.io.read import READERS, not_understood, read_records
from cabs.io.sides import REPORT, first_side, id_of


class ReportText(NamedTuple):
    """The text of a report with its id and its place in the input."""

    id: str
    text: str
    place: str


def read_reports(path: Path) -> Iterator[ReportText]:
    """The reports of a file of records, or the one report of a text file (its name is the id). The standard
    input ("-") is JSON Lines if it starts with a brace, otherwise one report.

    Raises:
        InputError: a record can't be read, lacks an id or a text, or an id comes twice; or there is none.
    """
    if _is_text(path):
        yield _whole(path)
        return
    seen: set[str] = set()
    for record in read_records(path):
        side = first_side(record, REPORT)
        if side is None:
            raise lacking(record, "text")
        if not isinstance(side, str):
            raise InputError("this record holds facts, a text expected", place=record.place)
        key = id_of(record)
        if key in seen:
            raise InputError(f"id {key!r} comes twice", place=record.place, hint="an id names one report")
        seen.add(key)
        yield ReportText(key, side, record.place)
    if not seen:
        raise holds_no("reports", path)


TEXTS = (".txt", ".text", ".md")
"""Endings of files that are one report."""


def _is_text(path: Path) -> bool:
    if str(path) == "-":
        start = io.BufferedReader.peek(sys.stdin.buffer, 1 << 16)  # type: ignore[arg-type]
        return not start.removeprefix(BOM).lstrip().startswith(b"{")
    if path.suffix.lower() in READERS:
        return False
    if path.suffix and path.suffix.lower() not in TEXTS:
        raise not_understood(path, (*TEXTS, *READERS))
    return True


def _whole(path: Path) -> ReportText:
    name = name_of(path)
    with opened(path) as handle:
        raw = handle.read()
    check_mark(raw, name)
    text = "".join(decoded(line, f"{name}:{n}") for n, line in enumerate(raw.removeprefix(BOM).splitlines(True), 1))
    if not text.strip():
        raise holds_no("reports", path)
    if not path.suffix and str(path) != "-" and text.lstrip().startswith('{"'):
        raise InputError("this looks like JSON Lines, not like a report", place=name, hint="name it .jsonl")
    return ReportText("-" if str(path) == "-" else path.stem, text, name)
