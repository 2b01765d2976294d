"""Files of facts → the facts of each report: as `cabs parse` writes them, in the gold format, or frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.fields import field_of, lacking
from cabs.io.frozen import Header, is_frozen, read_frozen
from cabs.io.lines import name_of
from cabs.io.read import read_records
from cabs.io.record import Record
from cabs.io.sides import SINGLE, Side, first_side, id_of
from cabs.values import ParsedReport, QuotedReport

AS_FACTS = "cabs parse makes facts of texts"


@dataclass(frozen=True, slots=True)
class FactReport:
    """The facts of one report, the text that they were read from or its hash where the file has it, and their place
    in the file."""

    id: str
    facts: ParsedReport | QuotedReport
    text: str | None
    text_hash: str | None
    place: str


@dataclass(frozen=True, slots=True)
class FactFile:
    """The facts of a file by the reports' ids, in the order of the file; `header` is that of a frozen file."""

    name: str
    reports: Mapping[str, FactReport]
    header: Header | None = None


def read_fact_file(path: Path) -> FactFile:
    """The facts of a file. A frozen file is checked against its hash.

    Raises:
        InputError: a record can't be read or has no facts, an id comes twice, there is none, or a frozen file was
            changed.
    """
    if is_frozen(path):
        header, records = read_frozen(path)
        reports = map(fact_report, records)
    else:
        header, reports = None, map(fact_report, read_records(path))
    return FactFile(name_of(path), _by_id(reports, path), header)


def _by_id(reports: Iterator[FactReport], path: Path) -> dict[str, FactReport]:
    found: dict[str, FactReport] = {}
    for report in reports:
        if report.id in found:
            hint = f"first at {found[report.id].place}"
            raise InputError(f"id {report.id!r} comes twice", place=report.place, hint=hint)
        found[report.id] = report
    if not found:
        raise holds_no("reports", path)
    return found


def fact_report(record: Record) -> FactReport:
    """The facts of a record.

    Raises:
        InputError: it has none, or a text in their place.
    """
    side = first_side(record, SINGLE["prediction"])
    if isinstance(side, str):
        raise InputError("this record holds a text, facts expected", place=record.place, hint=AS_FACTS)
    if side is None:
        raise lacking(record, "reference_facts")
    known = record.fields.get("text_hash")
    return FactReport(id_of(record), side, _text(record, side), known if isinstance(known, str) else None, record.place)


def _text(record: Record, side: Side) -> str | None:
    if isinstance(side, QuotedReport) and side.text is not None:
        return side.text
    for role in ("text", "reference"):
        found = field_of(record, role)
        if found is not None and isinstance(found[1], str):
            return found[1]
    return None
