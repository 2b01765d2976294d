"""Pairs as a Python program has them: `Pair`, tuples, dicts, a pandas DataFrame, or the path of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cabs.errors import InputError
from cabs.io.fields import identifier, names_of
from cabs.io.pairs import PLAIN, Reading, pair_of, read_pairs
from cabs.io.read import unfolded
from cabs.io.record import Record, kind_of
from cabs.io.seen import Seen
from cabs.values import Pair, ParsedReport, QuotedReport

if TYPE_CHECKING:
    import pandas as pd

Report: TypeAlias = str | QuotedReport | ParsedReport
Item: TypeAlias = Pair | tuple[Report, Report | None] | Mapping[str, Any]
Pairs: TypeAlias = "Iterable[Item] | pd.DataFrame | str | Path"


def pairs_from(pairs: Pairs, how: Reading = PLAIN) -> Iterator[Pair]:
    """The pairs of whatever a program has. What names no id is numbered from "1".

    Raises:
        InputError: an item is none of these, lacks a field, has an id twice in one system, or there is none.
            The place is the number of the item.
    """
    if isinstance(pairs, str | Path):
        yield from read_pairs(Path(pairs), how=how)
        return
    seen, empty = Seen(), True
    for number, item in enumerate(_items(pairs), 1):
        for pair in _pairs(item, number, how):
            seen.add(pair)
            empty = False
            yield pair
    if empty:
        raise InputError("there are no pairs", place="pairs")


def _items(pairs: Iterable[Item] | pd.DataFrame) -> Iterable[Any]:
    if hasattr(pairs, "to_dict") and hasattr(pairs, "columns"):  # a DataFrame; pandas stays unloaded for others
        return pairs.to_dict("records")
    return pairs


def _pairs(item: object, number: int, how: Reading) -> Iterator[Pair]:
    place = f"pair {number}"
    if isinstance(item, Pair):
        yield _checked(item, place, how)
    elif isinstance(item, Mapping):
        for record in unfolded(Record(item, place, None)):
            has_id = bool(names_of(record, "id"))
            yield pair_of(record if has_id else Record({"id": str(number), **record.fields}, place), how)
    elif isinstance(item, tuple) and len(item) == 2:
        fields = {"id": str(number), "reference": item[0], "prediction": item[1]}
        yield pair_of(Record(fields, place), how)
    else:
        hint = "a pair is a Pair, (reference, prediction) or a dict with these fields"
        raise InputError(f"a pair expected, found {kind_of(item)}", place=place, hint=hint)


def _checked(pair: Pair, place: str, how: Reading) -> Pair:
    if pair.prediction is None and not how.allow_missing:
        raise InputError("the prediction is None", place=pair.source or place, hint="allow_missing=True counts it")
    if how.cluster is None or pair.cluster is not None:
        return pair
    place = pair.source or place
    if how.cluster not in pair.extra:
        raise InputError(f"extra has no {how.cluster!r}", place=place, hint="cluster names one of its keys")
    return replace(pair, cluster=identifier(pair.extra[how.cluster], how.cluster, place))
