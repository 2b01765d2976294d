"""Files to report texts, for `cabs parse`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cabs.errors import InputError
from cabs.io.fields import lacking
from cabs.io.lines import AS_UTF8, BOM, UTF16, decoded, name_of, opened
from cabs.io.read import READERS, read_records
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
        raise InputError("holds no reports", place=name_of(path), hint="the file is empty")


def _is_text(path: Path) -> bool:
    if str(path) == "-":
        start = io.BufferedReader.peek(sys.stdin.buffer, 1 << 16)  # type: ignore[arg-type]
        return not start.removeprefix(BOM).lstrip().startswith(b"{")
    return path.suffix.lower() not in READERS


def _whole(path: Path) -> ReportText:
    name = name_of(path)
    with opened(path) as handle:
        raw = handle.read()
    if raw.startswith(UTF16):
        raise InputError("this is UTF-16", place=name, hint=AS_UTF8)
    text = "".join(decoded(line, f"{name}:{n}") for n, line in enumerate(raw.removeprefix(BOM).splitlines(True), 1))
    return ReportText("-" if str(path) == "-" else path.stem, text, name)
