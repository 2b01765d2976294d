"""The files of a counterfactual study: results.json, tables, every variant with its errors, and the plot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cabs.io.formula import harmless
from cabs.io.jsontext import json_line, json_page
from cabs.io.output import staged, write_bytes, writing
from cabs.io.tables import Column, Row, write_csv
from cabs.metrics.estimates import Estimate
from cabs.studies.canvas import NEEDS
from cabs.studies.counterfactual.ladder import Variant
from cabs.studies.counterfactual.result import Counterfactual, MetricPhi, Part

RESULTS, LADDERS, PLOT = "results.json", "ladders.jsonl", "phi"
FILES = (RESULTS, "phi.csv", "types.csv", "steps.csv", "variants.csv", LADDERS, f"{PLOT}.png", f"{PLOT}.svg")

PHI: tuple[Column, ...] = (
    ("part", "text"), ("category", "text"), ("groups", "int"), ("metric", "text"), ("family", "text"),
    ("answers", "text"), ("what", "text"), ("wording", "text"), ("phi", "float"), ("low", "float"), ("high", "float"),
    ("pairs", "int"),
)  # fmt: skip
"""One row an estimate. phi.csv: "all" and "identity" errors, and pairs that ought to be "equal"; types.csv: 0 against 1
error by type; steps.csv: neighbouring rungs, all, by the type that is added, and by the errors below. `wording`:
"reworded" or "clean"."""

VARIANTS: tuple[Column, ...] = (
    ("part", "text"), ("id", "text"), ("variant", "text"), ("errors", "int"), ("types", "text"),
)  # fmt: skip
"""One row a text, with a column for each metric; Text-Rank is `errors`, empty where a case states
an order instead."""


def check() -> None:
    """Raises `MissingExtraError` where the plot can't be drawn; call it before the work."""
    NEEDS.check("the plot")


def write_counterfactual(result: Counterfactual, folder: Path, *, text: bool = True) -> None:
    """Write the files of a study; with `text` False no word of a report is among them, so ladders.jsonl is left out.

    Raises:
        OutputError: the folder can't be written; MissingExtraError: what draws the plot isn't installed.
    """
    from cabs.studies.counterfactual.plot import draw

    NEEDS.check("the plot")
    with staged(folder, RESULTS, FILES) as staging:
        rows = list(_estimates(result))
        write_csv(
            staging.path("phi.csv"),
            PHI,
            (row for row in rows if " " not in str(row["what"]) and row["what"] != "steps"),
        )
        write_csv(staging.path("types.csv"), PHI, (row for row in rows if str(row["what"]).startswith("type ")))
        write_csv(staging.path("steps.csv"), PHI, (row for row in rows if str(row["what"]).startswith("step")))
        names = sorted({name for found in result.values.values() for name in found})
        metrics: tuple[Column, ...] = tuple((name, "float") for name in names)
        write_csv(staging.path("variants.csv"), (*VARIANTS, *metrics), _variants(result))
        if text and result.made:
            _lines(staging.path(LADDERS), result)
        if result.ladders is not None:
            drawn = draw(result.ladders)
            write_bytes(staging.path(f"{PLOT}.png"), drawn.png)
            write_bytes(staging.path(f"{PLOT}.svg"), drawn.svg)
        write_bytes(staging.path(RESULTS), json_page(result.to_json()).encode("utf-8"))


def _estimates(result: Counterfactual) -> Iterator[Row]:
    for part in [*([] if result.ladders is None else [result.ladders]), *result.cases]:
        for metric in part.metrics:
            for wording, phis in (("reworded", metric.phi), ("clean", metric.clean)):
                for what, estimate in phis.items():
                    if estimate.n:
                        yield _row(part, metric, what, wording, estimate)


def _row(part: Part, metric: MetricPhi, what: str, wording: str, estimate: Estimate) -> Row:
    interval = estimate.interval
    return {
        "part": harmless(part.name),
        "category": harmless(part.category),
        "groups": part.groups,
        "metric": metric.name,
        "family": metric.family,
        "answers": metric.answers,
        "what": what,
        "wording": wording,
        "phi": estimate.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "pairs": estimate.n,
    }


def _variants(result: Counterfactual) -> Iterator[Row]:
    for part, groups in result.groups.items():
        for at, group in enumerate(groups):
            for number, variant in enumerate(group.variants):
                values = {name: _number(v[at][number]) for name, v in result.values[part].items()}
                yield {
                    "part": harmless(part),
                    "id": harmless(group.id),
                    "variant": harmless(variant.name),
                    "errors": None if group.orders else sum(mistake.errors for mistake in variant.mistakes),
                    "types": "+".join(mistake.type for mistake in variant.mistakes),
                    **values,
                }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _lines(path: Path, result: Counterfactual) -> None:
    """ladders.jsonl: one variant a line."""
    with writing(path), path.open("w", encoding="utf-8", newline="\n") as handle:
        for at, made in enumerate(result.made):
            for number, variant in enumerate(made.variants):
                values = {name: _number(v[at][number]) for name, v in result.values["ladders"].items()}
                handle.write(json_line(_variant(variant, made.text, values)) + "\n")


def _variant(variant: Variant, reference: str, values: dict[str, float | None]) -> dict[str, Any]:
    return {
        "id": f"{variant.reference}/{variant.name}",
        "reference_id": variant.reference,
        "ladder": variant.ladder,
        "rung": variant.rung,
        "text_rank": sum(edit.errors for edit in variant.edits),
        "errors": [
            {"type": e.type, "finding": e.family, "old": e.old, "new": e.new, "errors": e.errors} for e in variant.edits
        ],
        "reference": reference,
        "prediction": variant.text,
        "clean": variant.clean,
        "values": values,
    }
