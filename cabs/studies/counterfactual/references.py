"""A file → the references of it, each once."""

from __future__ import annotations

from pathlib import Path

from cabs.errors import InputError
from cabs.io.read import read_records
from cabs.io.sides import ALONE, REPORT, first_side, id_of
from cabs.values import QuotedReport


def read_references(path: Path) -> dict[str, str]:
    """The texts of the references of a file of pairs, of facts or of reports, by id; a reference that comes again with
    another system is the same one.

    Raises:
        InputError: a record has no text, an id stands for two texts, or there is no record.
    """
    found: dict[str, str] = {}
    for record in read_records(path):
        side = first_side(record, REPORT if "text" in record.fields else ALONE["reference"])
        text = side.text if isinstance(side, QuotedReport) else side
        if not isinstance(text, str):
            raise InputError(
                "this record has no text of a reference", place=record.place, hint="its field is 'reference'"
            )
        id = id_of(record)
        if found.setdefault(id, text) != text:
            hint = "an id names one reference"
            raise InputError(f"id {id!r} stands for two different references", place=record.place, hint=hint)
    if not found:
        raise InputError("holds no references", place=str(path), hint="the file is empty")
    return found
