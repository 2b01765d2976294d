"""Files → the reports of an audit: texts, with facts of their own or parsed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.factfile import fact_report
from cabs.io.facts import within
from cabs.io.fields import lacking, names_of
from cabs.io.frozen import is_frozen, read_frozen, text_hash
from cabs.io.pairs import system_of
from cabs.io.read import READERS, read_records
from cabs.io.record import Record
from cabs.io.reports import read_reports
from cabs.io.sides import REPORT, first_side, id_of
from cabs.values import ParsedReport, QuotedReport


class Key(NamedTuple):
    """What names a report: its id, and the system that wrote it ("" where there is none)."""

    id: str
    system: str = ""

    def __str__(self) -> str:
        return f"{self.id!r} of system {self.system!r}" if self.system else repr(self.id)


@dataclass(frozen=True, slots=True)
class Source:
    """A report of an audit: its text, and its facts where the file has them (else they are still to be parsed)."""

    key: Key
    text: str
    facts: ParsedReport | QuotedReport | None
    place: str


def read_texts(path: Path) -> dict[Key, str]:
    """The texts of the reports of a file.

    Raises:
        InputError: a record has no text, or a report comes twice.
    """
    return {source.key: source.text for source in read_sources(path)}


def read_sources(path: Path, texts: Mapping[Key, str] | None = None) -> list[Source]:
    """The reports of a file, in its order. `texts` stand in where facts come without their text.

    Raises:
        InputError: a record can't be read, has neither facts nor a text, its text is not known, or it comes twice.
    """
    found: dict[Key, Source] = {}
    for source in _sources(path, texts or {}):
        if source.key in found:
            hint = f"first at {found[source.key].place}"
            raise InputError(f"report {source.key} comes twice", place=source.place, hint=hint)
        found[source.key] = source
    if not found:
        raise holds_no("reports", path)
    return list(found.values())


def _sources(path: Path, texts: Mapping[Key, str]) -> Iterator[Source]:
    if str(path) != "-" and path.suffix.lower() not in READERS:
        yield from (Source(Key(r.id), r.text, None, r.place) for r in read_reports(path))
        return
    records = read_frozen(path)[1] if is_frozen(path) else read_records(path)
    for record in records:
        yield _source(record, texts)


def _source(record: Record, texts: Mapping[Key, str]) -> Source:
    key = Key(id_of(record), system_of(record) or "")
    if names_of(record, "reference_facts") or names_of(record, "prediction_facts"):
        report = fact_report(record)
        text = texts.get(key, report.text)
        if text is None:
            hint = "--reports names the file of the texts"
            raise InputError(f"the text of report {key} is not known", place=record.place, hint=hint)
        if report.text_hash not in (None, text_hash(text)):
            hint = "--reports names the texts that the facts were read from"
            raise InputError(f"the facts of report {key} were read from another text", place=record.place, hint=hint)
        if isinstance(report.facts, ParsedReport):
            within(report.facts, len(text), f"{record.place}: report {key}")
        return Source(key, text, report.facts, record.place)
    side = first_side(record, REPORT)
    if not isinstance(side, str):
        raise lacking(record, "text")
    return Source(key, side, None, record.place)
