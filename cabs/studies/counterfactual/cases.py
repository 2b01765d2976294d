"""Written cases → groups of variants: error ladders, expected rankings, and pairs with an expected behaviour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from cabs.errors import InputError
from cabs.io.fields import clean_text, field_of, lacking
from cabs.io.read import read_records
from cabs.io.record import Record, kind_of
from cabs.io.sides import id_of
from cabs.studies.counterfactual.edits import TYPES, Type
from cabs.studies.counterfactual.rank import Group, Mistake, Ranked

SWAP: Type = "swap"
OTHER_NAMES: dict[str, Type] = {"density_or_character": "character", "density": "character", "negation": "negate"}
SAME = re.compile(r"paraphrase|exact match|equivalent", re.IGNORECASE)
"""What a narrative calls two texts that ought to be worth the same."""

SHAPES = "a case holds `variants` with errors, `candidates` with an `expected_ranking`, or a `hyp` with a `narrative`"
Order = tuple[int, Literal[">", "="], int]


def read_cases(path: Path) -> list[Group]:
    """The cases of a file (JSON Lines or a JSON list).

    Raises:
        InputError: a record is no case; the place is its file and line.
    """
    return cases_of(read_records(path), path)


def cases_of(records: Iterable[Record], path: Path) -> list[Group]:
    """The cases of records that were read from a file; see `read_cases`."""
    places: dict[str, str] = {}
    found: list[Group] = []
    for record in records:
        case = _case(record)
        if (first := places.setdefault(case.id, record.place)) != record.place:
            raise InputError(f"id {case.id!r} comes twice", place=record.place, hint=f"first at {first}")
        found.append(case)
    if not found:
        raise InputError("holds no cases", place=str(path), hint=SHAPES)
    return found


def is_case(record: Record) -> bool:
    """True for a record in the shape of a case, and not merely of a pair with a remark."""
    return "variants" in record.fields or "candidates" in record.fields


def _case(record: Record) -> Group:
    if "variants" in record.fields:
        return _ladder(record)
    if "candidates" in record.fields:
        return _ranking(record)
    if "narrative" in record.fields:
        return _behaviour(record)
    raise InputError("this is no case", place=record.place, hint=SHAPES)


def _reference(record: Record) -> str:
    found = field_of(record, "reference")
    if found is None:
        raise lacking(record, "reference")
    return clean_text(found[1], found[0], record.place)


def _ladder(record: Record) -> Group:
    """Variants with the errors that each of them has."""
    variants = record.fields["variants"]
    if not isinstance(variants, list) or not variants:
        raise InputError(f"field 'variants' holds {kind_of(variants)}, a list expected", place=record.place)
    texts = tuple(_variant(v, at, record.place) for at, v in enumerate(variants, 1))
    return Group(id_of(record), _reference(record), texts, str(record.fields.get("exam", "")))


def _variant(variant: Any, at: int, place: str) -> Ranked:
    where = f"{place}: variant {at}"
    if not isinstance(variant, Mapping):
        raise InputError(f"{kind_of(variant)} found, an object with text and errors expected", place=where)
    errors = variant.get("errors")
    if not isinstance(errors, list):
        raise InputError("field 'errors' is missing or no list", place=where, hint="[] says that it has none")
    text = clean_text(variant.get("text"), "text", where)
    return Ranked(str(variant.get("name", at)), text, tuple(_mistake(error, where) for error in errors))


def _mistake(error: Any, place: str) -> Mistake:
    if not isinstance(error, Mapping) or "type" not in error:
        raise InputError("an error is an object with a type", place=place)
    named = str(error["type"])
    type = OTHER_NAMES.get(named) or next((known for known in TYPES if known == named), None)
    if type is None:
        raise InputError(f"{named!r} is no type of error", place=place, hint=f"one of: {', '.join(TYPES)}")
    return Mistake(type, str(error.get("what", "")), 2 if type == SWAP else 1)


def _ranking(record: Record) -> Group:
    """Candidates and the ranking that is expected of them."""
    candidates, expected = record.fields["candidates"], record.fields.get("expected_ranking")
    if not isinstance(candidates, Mapping) or not candidates:
        raise InputError("field 'candidates' holds no object of texts by name", place=record.place)
    names = list(candidates)
    texts = tuple(Ranked(name, _candidate(candidates[name], name, record.place), ()) for name in names)
    chains = expected if isinstance(expected, list) else [expected]
    orders = tuple(order for chain in chains for order in _orders(chain, names, record.place))
    return Group(id_of(record), _reference(record), texts, str(record.fields.get("category", "")), orders)


def _candidate(candidate: Any, name: str, place: str) -> str:
    text = candidate.get("text") if isinstance(candidate, Mapping) else candidate
    return clean_text(text, f"candidates.{name}", place)


def _orders(chain: Any, names: list[str], place: str) -> Iterator[Order]:
    """The orders of a chain like "C1 > C2 = C3"."""
    hint = 'like "C1 > C2", names of candidates joined by > or ='
    if not isinstance(chain, str):
        raise InputError(f"field 'expected_ranking' holds {kind_of(chain)}, text expected", place=place, hint=hint)
    parts = re.split(r"(?:(?<!\s)\s++)?([>=])\s*", chain.strip())
    unknown = [name for name in parts[::2] if name not in names]
    if unknown or len(parts) < 3:
        what = f"{unknown[0]!r} is no candidate" if unknown else f"{chain!r} orders nothing"
        raise InputError(what, place=place, hint=hint)
    for (at, first), (_, second) in pairwise(enumerate(parts[::2])):
        sign: Literal[">", "="] = ">" if parts[2 * at + 1] == ">" else "="
        yield names.index(first), sign, names.index(second)


def _behaviour(record: Record) -> Group:
    """One text, which ought to be worth as much as the reference itself where its narrative calls it the same, and
    less otherwise."""
    found = field_of(record, "prediction")
    if found is None:
        raise lacking(record, "prediction")
    reference, narrative = _reference(record), str(record.fields["narrative"])
    texts = (Ranked("reference", reference, ()), Ranked(found[0], clean_text(found[1], found[0], record.place), ()))
    sign: Literal[">", "="] = "=" if SAME.search(narrative) else ">"
    category = re.split(r"(?<!\s)\s+[—–-]\s+|\.\s", narrative)[0]
    return Group(id_of(record), reference, texts, category, ((0, sign, 1),))
