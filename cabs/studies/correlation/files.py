"""The files of a correlation study: results.json, tables, figures and a page that holds everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cabs.io.formula import harmless
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.io.tables import Column, Row, write_csv
from cabs.metrics.estimates import Estimate
from cabs.studies.canvas import NEEDS
from cabs.studies.correlation.figures.drawn import pictures
from cabs.studies.correlation.page import LEVELS, page
from cabs.studies.correlation.result import Correlation

RESULTS, PAGE = "results.json", "index.html"
FILES = (RESULTS, PAGE, "systems.csv", "ranks.csv", "correlations.csv", "families.csv", "reports.csv")
"""The files that a study writes into its folder, the figures aside."""
FIGURES = tuple(f"{name}.{kind}" for name in ("ranks", *(f"heatmap_{of}" for of in LEVELS)) for kind in ("png", "svg"))
"""Figures, each where there is something to draw."""
SYSTEMS: tuple[Column, ...] = (
    ("system", "text"), ("control", "bool"), ("metric", "text"), ("family", "text"), ("value", "float"),
    ("low", "float"), ("high", "float"), ("reports", "int"), ("rank", "float"),
)  # fmt: skip
"""One row a system and metric. `rank`: among the real systems, 1 the best."""

RANKS: tuple[Column, ...] = (
    ("system", "text"), ("control", "bool"), ("family", "text"), ("rank", "float"), ("low", "float"), ("high", "float"),
    ("corner", "bool"), ("in_corner", "float"),
)  # fmt: skip
"""One row a system and family: the mean rank, and whether it is in the hallucination corner of that family."""

PAIRS: tuple[Column, ...] = (
    ("level", "text"), ("a", "text"), ("b", "text"), ("family_a", "text"), ("family_b", "text"), ("spearman", "float"),
    ("low", "float"), ("high", "float"), ("n", "int"), ("left_out", "int"), ("reason", "text"),
)  # fmt: skip
"""One row a level and pair of metrics; `reason`: why there is no coefficient."""

FAMILIES: tuple[Column, ...] = (
    ("level", "text"), ("of", "text"), ("family_a", "text"), ("family_b", "text"), ("mean", "float"), ("low", "float"),
    ("high", "float"), ("pairs", "int"),
)  # fmt: skip
"""One row a level and mean: of a block of families, of all pairs within, of all across, and the difference."""


def check() -> None:
    """Raises `MissingExtraError` where figures or the page can't be made; call it before the work."""
    NEEDS.check("the figures of the study")


def write_correlation(result: Correlation, folder: Path, *, text: bool = True) -> None:
    """Write the files of a study; with `text` False no word of a report is among them.

    Raises:
        OutputError: the folder can't be written; MissingExtraError: what draws isn't installed.
    """
    check()
    with staged(folder, RESULTS, (*FILES, *FIGURES)) as staging:
        write_csv(staging.path("systems.csv"), SYSTEMS, _systems(result))
        write_csv(staging.path("ranks.csv"), RANKS, _ranks(result))
        write_csv(staging.path("correlations.csv"), PAIRS, _pairs(result))
        write_csv(staging.path("families.csv"), FAMILIES, _families(result))
        metrics: list[Column] = [(metric.name, "float") for metric in result.metrics]
        write_csv(staging.path("reports.csv"), [("id", "text"), ("system", "text"), *metrics], _reports(result))
        drawn = pictures(result)
        for name, picture in drawn.items():
            write_bytes(staging.path(f"{name}.png"), picture.png)
            write_bytes(staging.path(f"{name}.svg"), picture.svg)
        shown = page(result, {name: picture.svg for name, picture in drawn.items()}, text=text)
        write_bytes(staging.path(PAGE), shown.encode("utf-8", "xmlcharrefreplace"))
        write_bytes(staging.path(RESULTS), json_page(result.to_json()).encode("utf-8", "backslashreplace"))


def _bounds(estimate: Estimate) -> Row:
    interval = estimate.interval
    return {} if interval is None else {"low": interval.low, "high": interval.high}


def _systems(result: Correlation) -> Iterator[Row]:
    for system in result.systems:
        for metric in result.metrics:
            value = system.values[metric.name]
            yield {
                "system": harmless(system.name),
                "control": system.control,
                "metric": metric.name,
                "family": metric.family,
                "value": value.value,
                "reports": value.n,
                "rank": system.places[metric.name],
                **_bounds(value),
            }


def _ranks(result: Correlation) -> Iterator[Row]:
    for system in result.systems:
        for family, rank in system.ranks.items():
            yield {
                "system": harmless(system.name),
                "control": system.control,
                "family": family,
                "rank": rank.value,
                "corner": system.corner.get(family),
                "in_corner": system.in_corner.get(family),
                **_bounds(rank),
            }


def _pairs(result: Correlation) -> Iterator[Row]:
    family = {metric.name: metric.family for metric in result.metrics}
    for level in result.levels.values():
        for (a, b), rho in level.pairs.items():
            yield {
                "level": level.name,
                "a": a,
                "b": b,
                "family_a": family[a],
                "family_b": family[b],
                "spearman": rho.value,
                "n": rho.n,
                "left_out": level.left_out[a, b],
                "reason": rho.reason,
                **_bounds(rho),
            }


def _families(result: Correlation) -> Iterator[Row]:
    for level in result.levels.values():
        means = [("block", a, b, mean) for (a, b), mean in level.families.items()]
        means += [(name, "", "", getattr(level, name)) for name in ("within", "across", "difference")]
        for of, a, b, mean in means:
            row = {"level": level.name, "of": of, "family_a": a, "family_b": b, "mean": mean.value, "pairs": mean.n}
            yield {**row, **_bounds(mean)}


def _reports(result: Correlation) -> Iterator[Row]:
    """One row a report and system, controls too: the value of each metric, empty where it is undefined."""
    for system in result.systems:
        columns = {m.name: result.values.get((system.name, m.name)) for m in result.metrics}
        for at, id in enumerate(result.ids):
            values = {name: _cell(column[at]) for name, column in columns.items() if column is not None}
            yield {"id": harmless(id), "system": harmless(system.name), **values}


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
