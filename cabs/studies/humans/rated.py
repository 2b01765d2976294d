"""Files → rated candidates: pairs with the ratings that people gave them, or written cases with their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cabs.errors import InputError, SettingError
from cabs.io.fields import number_of
from cabs.io.pairs import Reading, pair_of
from cabs.io.read import read_records
from cabs.io.record import Record
from cabs.io.seen import Seen
from cabs.metrics.batch import Item, batch_of_pairs
from cabs.studies.counterfactual.cases import cases_of, is_case
from cabs.studies.counterfactual.rank import Group
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
            hint = "leave out --rater, --cluster"
            raise SettingError("cases tell their order themselves", place="--rater", hint=hint)
        return _of_cases(cases_of(records, path), path)
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
    found = tuple(number_of(Record(pair.extra, _place(pair)), rater.field) for pair in pairs)
    if pairs and all(map(math.isnan, found)):
        hint = "a candidate counts where every rater rated it: leave out this --rater, or name another field"
        raise InputError(f"field {rater.field!r} holds no rating", place=str(path), hint=hint)
    return found


def _place(pair: Pair) -> str:
    return f"{pair.source}, id {pair.id!r}"


def _of_cases(cases: Sequence[Group], path: Path) -> Rated:
    """Cases in one row; those with counted errors are rated by these, fewer being better."""
    items: list[Item] = []
    groups: list[int] = []
    errors: list[float] = []
    orders: list[Order] = []
    for number, case in enumerate(cases):
        start = len(items)
        for text in case.variants:
            items.append(Item(f"{case.id}/{text.name}", case.reference, text.text, source=str(path)))
            groups.append(number)
            errors.append(math.nan if case.orders else float(sum(mistake.errors for mistake in text.mistakes)))
        orders += [Order(start + a, start + b, sign == "=", case.category) for a, sign, b in case.orders]
    counted = not all(map(math.isnan, errors))
    raters, ratings = ((Rater("errors", higher=False),), (tuple(errors),)) if counted else ((), ())
    return Rated(tuple(items), tuple(groups), tuple(groups), raters, ratings, tuple(orders))
