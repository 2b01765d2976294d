"""Files → references and the paraphrases that people wrote of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.fields import clean_text, missing
from cabs.io.read import READERS, read_records
from cabs.io.record import Record, kind_of
from cabs.io.reports import read_reports
from cabs.io.sides import REPORT, first_side, id_of

PARAPHRASE = "paraphrase"
"""The field of a record that holds the same report in other words."""


@dataclass(frozen=True, slots=True)
class References:
    """Texts by id, and paraphrases by the id of their reference."""

    texts: Mapping[str, str]
    paraphrases: Mapping[str, str]


def read_references(path: Path) -> References:
    """The references of a file. A paraphrase is a field of that name, or, in written cases, the first variant without
    errors.

    Raises:
        InputError: a record can't be read, lacks an id or a text, or an id comes twice with another text.
    """
    if str(path) != "-" and path.suffix.lower() not in READERS:
        return References({report.id: report.text for report in read_reports(path)}, {})
    texts: dict[str, str] = {}
    paraphrases: dict[str, str] = {}
    for record in read_records(path):
        id, text = id_of(record), _text(record)
        if texts.setdefault(id, text) != text:
            raise InputError(f"id {id!r} comes twice with another text", place=record.place, hint="an id names one")
        written = _written(record)
        if written is not None:
            paraphrases.setdefault(id, written)
    if not texts:
        raise InputError("holds no references", place=str(path), hint="the file is empty")
    return References(texts, paraphrases)


def _text(record: Record) -> str:
    side = first_side(record, (REPORT[2], *REPORT))  # of a pair it is the reference that is wanted
    if not isinstance(side, str):
        what = "this record holds no text" if side is None else "this record holds facts, a text expected"
        raise InputError(what, place=record.place, hint="fields that are understood: reference, text, report")
    return side


def _written(record: Record) -> str | None:
    own = record.fields.get(PARAPHRASE)
    if not missing(own) and own != "":
        return clean_text(own, PARAPHRASE, record.place)
    variants = record.fields.get("variants")
    if variants is None:
        return None
    if not isinstance(variants, list):
        raise InputError(f"field 'variants' holds {kind_of(variants)}, a list expected", place=record.place)
    free = [variant for variant in variants if _is_free(variant)]
    return clean_text(free[0].get("text"), "text", f"{record.place}: variants") if free else None


def _is_free(variant: Any) -> bool:
    return isinstance(variant, Mapping) and variant.get("errors") == []
