"""The files of a study of metrics against people: results.json, tables of agreements and of the values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from cabs.io.formula import harmless
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.io.tables import Cell, Column, Row, write_csv
from cabs.studies.humans.result import Agreeing, Humans, Measures

RESULTS = "results.json"
FILES = (RESULTS, "agreements.csv", "pairs.csv")
"""Every file that a study writes into its folder."""
AGREEMENTS: tuple[Column, ...] = (
    ("metric", "text"), ("family", "text"), ("against", "text"), ("measure", "text"), ("n", "int"),
    ("value", "float"), ("low", "float"), ("high", "float"), ("reason", "text"),
)  # fmt: skip
"""One row an agreement. `against`: "mean", "others", "order", "rater:NAME", "category:NAME"; the ceilings are rows
whose metric is "(raters)" ("(raters) on the pairs of NAME" where a metric is undefined for some pairs)."""


def write_humans(result: Humans, folder: Path, *, text: bool = True) -> None:
    """Write the files of a study; with `text` False no word of a report is among them.

    Raises:
        OutputError: the folder can't be written.
    """
    with staged(folder, RESULTS, FILES) as staging:
        write_csv(staging.path("agreements.csv"), AGREEMENTS, _agreements(result))
        write_csv(staging.path("pairs.csv"), _columns(result, text), _pairs(result, text))
        write_bytes(staging.path(RESULTS), json_page(result.to_json()).encode("utf-8"))


def _agreements(result: Humans) -> Iterator[Row]:
    yield from _rows("(raters)", "", "others", result.ceiling)
    for reader in result.raters:
        yield from _rows("(raters)", "", f"rater:{reader.field}", reader.others)
    for metric in result.metrics:
        for against, measures in _parts(metric).items():
            yield from _rows(metric.name, metric.family, against, measures)
        if metric.left_out:
            yield from _rows(f"(raters) on the pairs of {metric.name}", "", "others", metric.ceiling)


def _parts(metric: Agreeing) -> Mapping[str, Measures]:
    return {
        "mean": metric.mean,
        "others": metric.others,
        **{f"rater:{name}": measures for name, measures in metric.raters.items()},
        "order": metric.order,
        **{f"category:{name}": measures for name, measures in metric.categories.items()},
    }


def _rows(metric: str, family: str, against: str, measures: Measures) -> Iterator[Row]:
    for name, found in measures.items():
        interval = found.interval
        yield {
            "metric": metric,
            "family": family,
            "against": harmless(against),
            "measure": name,
            "n": found.n,
            "value": found.value,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "reason": found.reason,
        }


def _columns(result: Humans, text: bool) -> tuple[Column, ...]:
    words: tuple[Column, ...] = (("reference", "text"), ("prediction", "text")) if text else ()
    numbers: list[Column] = [(f"rater:{rater.field}", "float") for rater in result.rated.raters]
    numbers += [(name, "float") for name in result.values]
    return (("id", "text"), ("system", "text"), ("group", "int"), *numbers, *words)


def _pairs(result: Humans, text: bool) -> Iterator[Row]:
    rated = result.rated
    for at, item in enumerate(rated.items):
        row: dict[str, Cell] = {"id": harmless(item.id), "system": harmless(item.system), "group": rated.groups[at]}
        for rater, ratings in zip(rated.raters, rated.ratings, strict=True):
            row[f"rater:{rater.field}"] = _number(ratings[at])
        for name, values in result.values.items():
            row[name] = _number(values[at])
        if text:
            row |= {"reference": harmless(item.reference or ""), "prediction": harmless(item.prediction or "")}
        yield row


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
