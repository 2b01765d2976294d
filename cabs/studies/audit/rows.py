"""A rated sheet → its rows: which report, what was said, and in which words. Nothing is looked up yet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rapidfuzz import process

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.facts import fact_from_json, report_from_json
from cabs.io.record import Record
from cabs.io.sheet import read_sheet
from cabs.studies.audit.columns import CHOICES, CORRECTED, MACHINE, PREFIX, SLOTS, Rating, What
from cabs.studies.audit.make import KEY, KEY_COLUMNS, SHEET
from cabs.studies.audit.source import Key
from cabs.values import Fact, ParsedReport

SHOWN = 5
"""Rows that a message names."""
NEEDED = ("report", "what", "rating", MACHINE, *(PREFIX + name for name in CORRECTED))


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row. `fact`: the one to rate, None for rows that add one or rate that there is none. `report`: of an "add"
    row, what else is known of the report. `text_hash`: of the text that the sheet was made from, `rows`: how many rows
    to rate it made of the report ("" and 0 where unknown). `quotes`: a hash of the words that the sheet was made from
    ("" where unknown), `evidence` those words as the sheet shows them.
    `rating`: None where unrated. `corrections` by name of `CORRECTED`, only those filled in. `shown`: the slots as the
    sheet shows them."""

    place: str
    number: int | None
    key: Key
    what: What
    fact: Fact | None
    report: ParsedReport | None
    text_hash: str
    rows: int
    quotes: str
    evidence: str
    rating: Rating | None
    corrections: Mapping[str, str]
    comment: str
    shown: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rated:
    """The rows of a sheet, and the numbers of those that were made and are not in it any more."""

    rows: tuple[SheetRow, ...]
    missing: tuple[int, ...]

    def of_system(self, system: str | None, place: str) -> Rated:
        """The rows of one system's reports; all for None.

        Raises:
            InputError: there is none of this system.
        """
        kept = tuple(row for row in self.rows if system in (None, row.key.system))
        if not kept:
            names = ", ".join(sorted({repr(row.key.system) for row in self.rows}))
            raise InputError(f"there is no system {system!r}", place=place, hint=f"one of {names}")
        return replace(self, rows=kept)


class Problems:
    """Collects what is wrong, so that a rater sees all of it at once."""

    def __init__(self) -> None:
        self.found: list[InputError] = []

    def add(self, place: str, message: str, hint: str = "") -> None:
        """Note a problem of the row at `place`."""
        self.found.append(InputError(message, place=place, hint=hint))

    def check(self) -> None:
        """Raise the problems as one `InputError`, the first in full."""
        if not self.found:
            return
        first, *more = self.found
        rest = "; ".join(f"{error.place}: {error.message}" for error in more[: SHOWN - 1])
        further = f"; and {len(more) - SHOWN + 1} more" if len(more) >= SHOWN else ""
        message = first.message if not more else f"{first.message}; {len(more)} more rows: {rest}{further}"
        raise InputError(message, place=first.place, hint=first.hint)


@dataclass(frozen=True, slots=True)
class SheetKey:
    """The key of a blinded sheet: code → report. `mark` says which sheet it belongs to ("" where it doesn't)."""

    reports: Mapping[str, Key]
    mark: str
    place: str


def read_rows(path: Path, key: SheetKey | None = None) -> Rated:
    """The rows of a sheet; `key` leads from the codes of a blinded one to its reports.

    Raises:
        InputError: a column is gone, a word outside its vocabulary, a row's machine column damaged, a rated row comes
            twice, the sheet is blinded and there is no key or that of another sheet, it isn't blinded and there is
            one, or a code is not in the key.
    """
    problems, rows = Problems(), list[SheetRow]()
    total = 0
    for record in read_sheet(path):
        lacking = [name for name in NEEDED if name not in record.fields]
        if lacking:
            hint = "the columns of the sheet that was made have to stay"
            raise InputError(f"there is no column {lacking[0]!r}", place=record.place, hint=hint)
        try:
            machine = _machine(record)
            _belongs(machine, record, key)
            rows.append(_row(record, machine, {} if key is None else key.reports, problems))
            total = max(total, machine.get("of", 0))
        except _WrongKeyError:
            raise
        except InputError as error:
            problems.found.append(error)
    if not rows and not problems.found:
        raise holds_no("rows", path)
    _once(rows, problems)
    problems.check()
    seen = {row.number for row in rows}
    return Rated(tuple(rows), tuple(n for n in range(1, total + 1) if n not in seen))


class _WrongKeyError(InputError):
    """The key is at fault, not the row: said once."""


def _belongs(machine: Mapping[str, Any], record: Record, key: SheetKey | None) -> None:
    """Whether a row is of the sheet that the key was made with. Rows written by hand don't say."""
    mark = machine.get(KEY, "")
    if MACHINE not in record.fields or not str(record.fields[MACHINE]).strip():
        return
    if mark and key is None:
        hint = "--key names the file that was written beside the sheet, NAME.key.csv"
        raise _WrongKeyError("the sheet is blinded, so it can't be read without its key", place=record.place, hint=hint)
    if key is None:
        return
    if not mark:
        raise _WrongKeyError("the sheet isn't blinded", place=record.place, hint="leave --key out")
    if key.mark != mark:
        hint = "--key takes the file that was written beside this sheet"
        raise _WrongKeyError(f"{key.place} is the key of another sheet", place=record.place, hint=hint)


def read_key(path: Path) -> SheetKey:
    """The key of a blinded sheet.

    Raises:
        InputError: it can't be read as one, or a code comes twice.
    """
    found: dict[str, Key] = {}
    mark = ""
    for record in read_sheet(path):
        if any(name not in record.fields for name in (*KEY_COLUMNS, SHEET)):
            hint = "the key was written beside the sheet, as NAME.key.csv"
            raise InputError("this is no key of a sheet", place=record.place, hint=hint)
        code, mark = _cell(record, KEY_COLUMNS[0]), _cell(record, SHEET)
        id, system = (str(record.fields[name]) for name in KEY_COLUMNS[1:])
        if code in found:
            raise InputError(f"code {code!r} comes twice", place=record.place)
        found[code] = Key(id, system)
    if not found:
        raise InputError("holds no codes", place=str(path), hint="this is no key of a sheet")
    return SheetKey(found, mark, str(path))


def _machine(record: Record) -> dict[str, Any]:
    """What the machine column holds; of a row that a rater wrote by hand only what its other columns say."""
    text = str(record.fields[MACHINE]).strip()
    if not text:
        if _cell(record, "what").lower() != "add":
            hint = "only rows that add a fact can be new; copy one of them"
            raise InputError("the machine column is empty", place=record.place, hint=hint)
        return {"id": _cell(record, "report"), "system": _cell(record, "system"), "what": "add"}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        hint = "take it from the sheet that was made"
        raise InputError("the machine column was damaged", place=record.place, hint=hint)
    return value


def _row(record: Record, machine: Mapping[str, Any], key: Mapping[str, Key], problems: Problems) -> SheetRow:
    place, shown = record.place, Key(str(machine["id"]), str(machine.get("system") or ""))
    if key and shown.id not in key:
        raise InputError(f"code {shown.id!r} is not in the key", place=place)
    fact = fact_from_json(machine["fact"], f"{place}: {MACHINE}") if "fact" in machine else None
    report = machine.get("report")
    return SheetRow(
        place=place,
        number=machine.get("row"),
        key=key.get(shown.id, shown),
        what=machine["what"],
        fact=fact,
        report=None if report is None else report_from_json(report, f"{place}: {MACHINE}"),
        text_hash=str(machine.get("text_hash", "")),
        rows=int(machine.get("rows", 0)),
        quotes=str(machine.get("quotes", "")),
        evidence=_cell(record, "evidence"),
        rating=_word(record, "rating", problems),  # type: ignore[arg-type]  # one of the vocabulary
        corrections=_corrections(record, problems),
        comment=_cell(record, "comment"),
        shown={name: _cell(record, name) for name in SLOTS},
    )


def _corrections(record: Record, problems: Problems) -> dict[str, str]:
    found = {name: _word(record, PREFIX + name, problems) for name in CORRECTED}
    return {name: text for name, text in found.items() if text}


def _word(record: Record, column: str, problems: Problems) -> str | None:
    """The text of a cell, None where it is empty; of a closed vocabulary in its own spelling."""
    text, allowed = _cell(record, column), CHOICES.get(column)
    if not text or allowed is None:
        return text or None
    if text.lower() in allowed:
        return text.lower()
    near = process.extractOne(text.lower(), allowed, score_cutoff=60)
    hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(allowed)}"
    problems.add(record.place, f"{column} is {text!r}", hint)
    return None


def _cell(record: Record, column: str) -> str:
    return str(record.fields.get(column, "")).strip()


def _once(rows: Sequence[SheetRow], problems: Problems) -> None:
    first: dict[int, str] = {}
    for row in rows:
        if row.what != "add" and row.number is not None:
            if row.number in first:
                problems.add(row.place, f"row {row.number} of the sheet comes twice, first at {first[row.number]}")
            first.setdefault(row.number, row.place)
