"""One side of a pair: text, sections of text, or facts in place of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from cabs.errors import InputError
from cabs.io.facts import report_from_json, within
from cabs.io.fields import clean_text, field_of, identifier, lacking, missing, names_of
from cabs.io.jsontext import parse_json
from cabs.io.quoted import quoted_report
from cabs.io.record import Record, kind_of
from cabs.io.rexrank import sections_text
from cabs.values import ParsedReport, QuotedReport

Side: TypeAlias = str | QuotedReport | ParsedReport
Source: TypeAlias = Callable[[Record], Side | None]


def id_of(record: Record) -> str:
    """The record's id: its field for it, or the key under which a JSON object keeps it.

    Raises:
        InputError: it has none, or one that is neither text nor a whole number.
    """
    found = field_of(record, "id")
    if found is None and record.key is not None:
        found = ("the key of the entry", record.key)
    if found is None:
        raise lacking(record, "id")
    name, value = found
    return identifier(value, name, record.place)


def side_from(value: object, name: str, record: Record) -> Side | None:
    """A side from a field's value: text, an object with facts, a list of facts; None for null.

    Raises:
        InputError: the value is none of these.
    """
    if isinstance(value, str | QuotedReport | ParsedReport):
        return clean_text(value, name, record.place) if isinstance(value, str) else value
    if missing(value):
        return None
    if isinstance(value, list | Mapping):
        return facts_side(value, name, record.place)
    raise InputError(f"field {name!r} holds {kind_of(value)}, text or facts expected", place=record.place)


def facts_side(value: object, name: str, place: str) -> QuotedReport | ParsedReport:
    """Facts as `cabs parse` writes them (they have an `entity`) or in the gold format (they have a `name`
    alone)."""
    if isinstance(value, str):
        value = parse_json(value, f"{place}: {name}")
    whole = {"facts": value} if isinstance(value, list) else value
    if not isinstance(whole, Mapping) or not isinstance(whole.get("facts"), list):
        raise InputError(f"field {name!r} holds {kind_of(value)}, facts expected", place=place)
    listed = whole["facts"]
    parsed = any(isinstance(f, Mapping) and "entity" in f for f in listed) if listed else True
    if not parsed:
        return quoted_report(whole, place)
    report, text = report_from_json(whole, place), whole.get("text")
    if isinstance(text, str) and text:
        within(report, len(text), place)
    return report


def _text(role: str) -> Source:
    def source(record: Record) -> Side | None:
        found = field_of(record, role)
        return None if found is None else side_from(found[1], found[0], record)

    return source


def _facts(role: str) -> Source:
    def source(record: Record) -> Side | None:
        found = field_of(record, role)
        if found is None or missing(found[1]):
            return None
        name, value = found
        if isinstance(value, list):
            return facts_side({**_beside(record), "facts": value}, name, record.place)
        return facts_side(value, name, record.place)

    return source


def _beside(record: Record) -> Mapping[str, object]:
    """What stands beside a list of facts and belongs to it: the text that they quote, normality statements,
    `read`."""
    beside: dict[str, object] = {k: record.fields[k] for k in ("normal", "read", "issues") if k in record.fields}
    for role in ("text", "reference"):
        found = field_of(record, role)
        if found is not None and isinstance(found[1], str):
            return {**beside, "text": found[1]}
    return beside


ALONE: dict[str, tuple[Source, ...]] = {
    "reference": (_facts("reference_facts"), _text("reference"), sections_text, _text("text")),
    "prediction": (_facts("prediction_facts"), _text("prediction")),
}
"""role → where the side stands in a record that holds both sides, best first."""

SINGLE: dict[str, tuple[Source, ...]] = {
    "reference": (_facts("reference_facts"), _text("reference"), sections_text, _text("text")),
    "prediction": (
        _facts("prediction_facts"),
        _text("prediction"),
        _facts("reference_facts"),
        sections_text,
        _text("text"),
    ),
}
"""The same for a file that holds one side alone. A reference is never taken for a prediction, nor the
reverse."""

REPORT: tuple[Source, ...] = (_text("text"), sections_text, _text("reference"), _text("prediction"))
"""Where the text of a report to parse stands, best first."""


def first_side(record: Record, sources: tuple[Source, ...]) -> Side | None:
    """The first side that the record has, or None."""
    for source in sources:
        found = source(record)
        if found is not None:
            return found
    return None


def used_fields(record: Record) -> frozenset[str]:
    """The fields that play a role; the others are kept as extra."""
    roles = ("id", "reference", "prediction", "reference_facts", "prediction_facts", "system", "cluster")
    return frozenset(names[0] for role in roles if (names := names_of(record, role)))
