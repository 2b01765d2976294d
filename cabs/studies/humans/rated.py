"""Files → rated candidates: pairs with the ratings that people gave them, or written cases with their order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cabs.errors import InputError, SettingError
from cabs.io.fields import missing, plain
from cabs.io.pairs import Reading, Seen, pair_of
from cabs.io.read import read_records
from cabs.io.record import Record, kind_of
from cabs.metrics.batch import Item, batch_of_pairs
from cabs.studies.humans.cases import cases_of, is_case
from cabs.values import Pair

SPELLING = "NAME, NAME:higher (a rating) or NAME:lower (a number of errors); NAME is a field of the pairs"


class Rater(NamedTuple):
    """A field of the pairs that holds what one person said; `higher`: more is better."""

    field: str
    higher: bool = True


def read_rater(spelled: str) -> Rater:
    """The rater that an option spells.

    >>> read_rater("Dr A: errors:lower")
    Rater(field='Dr A: errors', higher=False)

    Raises:
        SettingError: there is no name, or what follows its last colon is no direction.
    """
    head, colon, last = spelled.rpartition(":")
    if colon and last not in ("higher", "lower"):
        hint = f"{SPELLING}; one whose own name has a colon takes its direction, too"
        raise SettingError(f"{last!r} is no direction: higher or lower", place="--rater", hint=hint)
    field, direction = (head, last) if colon else (spelled, "higher")
    if not field.strip():
        raise SettingError(f"{spelled!r} names no field", place="--rater", hint=SPELLING)
    return Rater(field, direction == "higher")


class Order(NamedTuple):
    """Two candidates, by their places among all, and what is said of them: the first is better, or both are equal."""

    first: int
    second: int
    equal: bool = False
    category: str = ""


@dataclass(frozen=True, slots=True)
class Rated:
    """Candidates and what people said of them.

    - items: one a candidate. groups (one each): which candidates belong to one reference, numbered from 0. units: which
      of them are drawn together for intervals.
    - raters and ratings: one row a rater, one number a candidate (nan: not rated), as the file has them.
    - orders: what is said of pairs of candidates without a number.
    """

    items: tuple[Item, ...]
    groups: tuple[int, ...]
    units: tuple[int, ...]
    raters: tuple[Rater, ...]
    ratings: tuple[tuple[float, ...], ...]
    orders: tuple[Order, ...] = ()


def read_rated(path: Path, raters: Sequence[Rater] = (), *, cluster: str | None = None) -> Rated:
    """The candidates of a file: pairs with a field for each rater, or written cases.

    Candidates of one reference are those whose reference has the same text (or facts). `cluster` names a field whose
    values (patients) are drawn whole.

    Raises:
        InputError: a record can't be read, a rater's field is missing, holds no number or is empty in all records, or a
            reference lies in two clusters. SettingError: no rater is named where pairs need one, or one is named for
            cases.
    """
    records = list(read_records(path))
    if records and all(map(is_case, records)):
        if raters or cluster:
            raise SettingError(
                "cases tell their order themselves", place="--rater", hint="leave out --rater, --cluster"
            )
        return _of_cases(records)
    if not raters:
        raise SettingError("no rater is named", place="--rater", hint=SPELLING)
    if len({rater.field for rater in raters}) < len(raters):
        raise SettingError("a rater is named twice", place="--rater", hint="each field once")
    pairs = _pairs(records, path, cluster)
    ratings = [_ratings(pairs, rater, path) for rater in raters]
    groups = _numbered([_key(pair) for pair in pairs])
    return Rated(batch_of_pairs(pairs).items, groups, _units(pairs, groups), tuple(raters), tuple(ratings))


def _pairs(records: Sequence[Record], path: Path, cluster: str | None) -> list[Pair]:
    seen, found = Seen(), []
    for record in records:
        pair = pair_of(record, Reading(cluster))
        seen.add(pair)
        found.append(pair)
    if not found:
        raise InputError("holds no pairs", place=str(path), hint="the file is empty")
    return found


def _key(pair: Pair) -> object:
    return " ".join(pair.reference.split()) if isinstance(pair.reference, str) else pair.reference


def _numbered(keys: Sequence[object]) -> tuple[int, ...]:
    numbers: dict[object, int] = {}
    return tuple(numbers.setdefault(key, len(numbers)) for key in keys)


def _units(pairs: Sequence[Pair], groups: Sequence[int]) -> tuple[int, ...]:
    of_group: dict[int, str | None] = {}
    for pair, group in zip(pairs, groups, strict=True):
        if of_group.setdefault(group, pair.cluster) != pair.cluster:
            what = f"its reference stands in the clusters {of_group[group]!r} and {pair.cluster!r}"
            raise InputError(what, place=pair.source, hint="candidates of one reference are drawn together")
    named = [of_group[group] for group in groups]
    return _numbered([("alone", g) if name is None else name for g, name in zip(groups, named, strict=True)])


def _ratings(pairs: Sequence[Pair], rater: Rater, path: Path) -> tuple[float, ...]:
    found = tuple(_rating(pair, rater) for pair in pairs)
    if pairs and all(map(math.isnan, found)):
        hint = "a candidate counts where every rater rated it: leave out this --rater, or name another field"
        raise InputError(f"field {rater.field!r} holds no rating", place=str(path), hint=hint)
    return found


def _rating(pair: Pair, rater: Rater) -> float:
    field = _field(pair, rater)
    value = pair.extra[field]
    if missing(value) or value == "":
        return math.nan
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        what = f"field {field!r} holds {kind_of(value)}: {value!r}"
        raise InputError(
            what, place=_place(pair), hint="a rating is a number; leave it empty where there is none"
        ) from None
    if not math.isfinite(number):
        raise InputError(f"field {field!r} is not finite", place=_place(pair), hint="leave it empty")
    return number


def _field(pair: Pair, rater: Rater) -> str:
    for name in pair.extra:
        if name == rater.field or plain(name) == plain(rater.field):
            return name
    names = ", ".join(map(repr, pair.extra)) or "none"
    raise InputError(f"there is no field {rater.field!r}", place=_place(pair), hint=f"other fields here: {names}")


def _place(pair: Pair) -> str:
    return f"{pair.source}, id {pair.id!r}"


def _of_cases(records: Sequence[Record]) -> Rated:
    """Cases in one row; those with counted errors are rated by these, fewer being better."""
    items: list[Item] = []
    groups: list[int] = []
    errors: list[float] = []
    orders: list[Order] = []
    seen: Mapping[str, str] = {}
    for number, record in enumerate(records):
        case = cases_of(record)
        if case.id in seen:
            raise InputError(f"id {case.id!r} comes twice", place=record.place, hint=f"first at {seen[case.id]}")
        seen = {**seen, case.id: record.place}
        start = len(items)
        for text in case.texts:
            items.append(Item(f"{case.id}/{text.name}", case.reference, text.text, source=record.place))
            groups.append(number)
            errors.append(math.nan if text.errors is None else float(text.errors))
        orders += [Order(start + a, start + b, equal, case.category) for a, b, equal in case.orders]
    counted = not all(map(math.isnan, errors))
    raters, ratings = ((Rater("errors", higher=False),), (tuple(errors),)) if counted else ((), ())
    return Rated(tuple(items), tuple(groups), tuple(groups), raters, ratings, tuple(orders))
