"""The files of a study of probes: results.json, and tables of verdicts, checks, values and the texts themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cabs.io.formula import harmless
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.io.tables import Cell, Column, Row, write_csv
from cabs.studies.probes.result import Probing

RESULTS = "results.json"
FILES = (RESULTS, "verdicts.csv", "checks.csv", "values.csv", "texts.csv")
"""Every file that a study writes into its folder."""
CHECKS: tuple[Column, ...] = (
    ("metric", "text"), ("family", "text"), ("probe", "text"), ("rule", "text"), ("than", "text"), ("by", "float"),
    ("references", "int"), ("value", "float"), ("other", "float"), ("lead", "float"), ("lead_low", "float"),
    ("lead_high", "float"), ("passed", "bool"), ("clear", "bool"), ("reason", "text"),
)  # fmt: skip
VALUES: tuple[Column, ...] = (
    ("metric", "text"), ("text", "text"), ("references", "int"), ("raw", "float"), ("worth", "float"),
)  # fmt: skip
TEXTS: tuple[Column, ...] = (("id", "text"), ("probe", "text"), ("text", "text"))
LONG = ("everything", "everything_hedged", "normal", "empty")
"""Texts that are the same for every reference are written once, with no id."""


def write_probes(result: Probing, folder: Path, *, text: bool = True) -> None:
    """Write the files of a study; with `text` False the texts are not among them.

    Raises:
        OutputError: the folder can't be written.
    """
    with staged(folder, RESULTS, FILES) as staging:
        write_csv(staging.path("verdicts.csv"), _verdict_columns(result), _verdicts(result))
        write_csv(staging.path("checks.csv"), CHECKS, _checks(result))
        write_csv(staging.path("values.csv"), VALUES, _values(result))
        if text:
            write_csv(staging.path("texts.csv"), TEXTS, _texts(result))
        write_bytes(staging.path(RESULTS), json_page(result.to_json()).encode("utf-8"))


def _verdict_columns(result: Probing) -> tuple[Column, ...]:
    return (("metric", "text"), ("family", "text"), *((probe.id, "text") for probe in result.probes))


WORDS = {True: "pass", False: "fail", None: "undefined"}
"""What a verdict is called; a probe of which nothing is asked has none."""


def _verdicts(result: Probing) -> Iterator[Row]:
    for metric in result.metrics:
        row: dict[str, Cell] = {"metric": metric.name, "family": metric.family}
        yield row | {name: WORDS[passed] for name, passed in metric.verdicts.items()}


def _checks(result: Probing) -> Iterator[Row]:
    for metric in result.metrics:
        for check in metric.checks:
            interval = check.interval
            yield {
                "metric": metric.name,
                "family": metric.family,
                "probe": check.probe,
                "rule": check.kind,
                "than": check.than,
                "by": check.by,
                "references": check.references,
                "value": check.value,
                "other": check.other,
                "lead": check.lead,
                "lead_low": None if interval is None else interval.low,
                "lead_high": None if interval is None else interval.high,
                "passed": check.passed,
                "clear": check.clear,
                "reason": check.reason,
            }


def _values(result: Probing) -> Iterator[Row]:
    for metric in result.metrics:
        for name, value in metric.values.items():
            yield {
                "metric": metric.name,
                "text": name,
                "references": value.references,
                "raw": value.raw,
                "worth": value.worth,
            }


def _texts(result: Probing) -> Iterator[Row]:
    for name in LONG:
        yield {"id": None, "probe": name, "text": harmless(result.texts[0][name])}
    for id, texts in zip(result.ids, result.texts, strict=True):
        for name, text in texts.items():
            if name not in LONG:
                yield {"id": harmless(id), "probe": name, "text": harmless(text)}
