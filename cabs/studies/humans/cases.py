"""Written cases: candidates of one reference with an expected ranking, or variants with the errors that they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from cabs.errors import InputError
from cabs.io.fields import clean_text, field_of, lacking
from cabs.io.record import Record, kind_of
from cabs.io.sides import id_of

RANKING = 'like "C1 > C2", names of candidates joined by > or ='
TWO = "swap"
"""The error that counts as two: a finding is left out and another one invented."""

Orders = tuple[tuple[int, int, bool], ...]


class Text(NamedTuple):
    """One candidate; `errors`: how many it holds, None where nobody counted."""

    name: str
    text: str
    errors: int | None


@dataclass(frozen=True, slots=True)
class Case:
    """A reference and its candidates. `orders`: (first, second, equal) by their places."""

    id: str
    reference: str
    texts: tuple[Text, ...]
    category: str
    orders: Orders


def is_case(record: Record) -> bool:
    """True for a record in the shape of a case."""
    return "variants" in record.fields or "candidates" in record.fields


def cases_of(record: Record) -> Case:
    """The case of a record.

    Raises:
        InputError: it is no case; the place is its file and line.
    """
    found = field_of(record, "reference")
    if found is None:
        raise lacking(record, "reference")
    reference = clean_text(found[1], found[0], record.place)
    if "variants" in record.fields:
        return Case(id_of(record), reference, tuple(_variants(record)), "", ())
    candidates = record.fields["candidates"]
    if not isinstance(candidates, Mapping) or not candidates:
        raise InputError("field 'candidates' holds no object of texts by name", place=record.place)
    texts = tuple(Text(name, _text(text, name, record.place), None) for name, text in candidates.items())
    category = str(record.fields.get("category") or "")
    return Case(id_of(record), reference, texts, category, tuple(_orders(record, list(candidates))))


def _variants(record: Record) -> Iterator[Text]:
    variants = record.fields["variants"]
    if not isinstance(variants, list) or not variants:
        raise InputError(f"field 'variants' holds {kind_of(variants)}, a list expected", place=record.place)
    for at, variant in enumerate(variants, 1):
        where = f"{record.place}: variant {at}"
        if not isinstance(variant, Mapping) or not isinstance(variant.get("errors"), list):
            hint = "[] says that it has none"
            raise InputError("an object with a text and a list of errors expected", place=where, hint=hint)
        text = clean_text(variant.get("text"), "text", where)
        yield Text(str(variant.get("name", at)), text, sum(map(_counted, variant["errors"])))


def _counted(error: Any) -> int:
    return 2 if isinstance(error, Mapping) and error.get("type") == TWO else 1


def _text(candidate: Any, name: str, place: str) -> str:
    text = candidate.get("text") if isinstance(candidate, Mapping) else candidate
    return clean_text(text, f"candidates.{name}", place)


def _orders(record: Record, names: list[str]) -> Iterator[tuple[int, int, bool]]:
    """Each neighbouring pair of each chain like "C1 > C2 = C3"."""
    expected = record.fields.get("expected_ranking")
    for chain in expected if isinstance(expected, list) else [expected]:
        if not isinstance(chain, str):
            what = f"field 'expected_ranking' holds {kind_of(chain)}, text expected"
            raise InputError(what, place=record.place, hint=RANKING)
        parts = re.split(r"\s*([>=])\s*", chain.strip())
        unknown = [name for name in parts[::2] if name not in names]
        if unknown or len(parts) < 3:
            what = f"{unknown[0]!r} is no candidate" if unknown else f"{chain!r} orders nothing"
            raise InputError(what, place=record.place, hint=RANKING)
        for (at, first), (_, second) in pairwise(enumerate(parts[::2])):
            yield names.index(first), names.index(second), parts[2 * at + 1] == "="
