"""The tables of a run: one row a report, one row a kind of error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from cabs.io.facts import report_to_json, without_text
from cabs.io.jsontext import json_line
from cabs.io.tables import Cell, Column
from cabs.matching import Settings
from cabs.metrics import FIELDS, NAMES, Error, ErrorRow, score
from cabs.scoring.case import Entry, entry_to_json
from cabs.scoring.case import without_text as without_words
from cabs.values import Pair, ParsedReport, QuotedReport

if TYPE_CHECKING:
    from cabs.scoring.outcome import Outcome

REPORTS: tuple[Column, ...] = (
    ("id", "text"),
    ("system", "text"),
    ("cluster", "text"),
    ("status", "text"),
    ("reason", "text"),
    *((f"n_{name}", "int") for name in FIELDS),
    *((name, "float") for name in NAMES),
    ("reference_facts", "text"),
    ("prediction_facts", "text"),
    ("alignment", "text"),
    ("errors", "text"),
    ("reference_text", "text"),
    ("prediction_text", "text"),
    ("extra", "text"),
)
"""The reports table: counts start with n_, scores have the metrics' names; facts, the entries of their alignment
(`cabs.scoring.case`), errors and the pair's other fields are JSON. The texts are null where they are not known or not
to be written."""

ERRORS: tuple[Column, ...] = (
    ("system", "text"),
    ("error", "text"),
    ("detail", "text"),
    ("entity", "text"),
    ("name", "text"),
    ("organ", "text"),
    ("counts", "bool"),
    ("count", "int"),
    ("reports", "int"),
    ("examples", "text"),
)
"""The error table; `examples` is a JSON list of ids."""


def report_row(
    outcome: Outcome,
    pair: Pair,
    reference: ParsedReport | None,
    prediction: ParsedReport | None,
    case: tuple[Entry, ...],
    settings: Settings,
    names: Callable[[str], str] | None = None,
) -> dict[str, Cell]:
    """The cells of one report. With `names` (entity id → name) no word of a report is among them, nor any
    field beside the pair's own."""
    quoted = [without_words(entry, names) for entry in case] if names else case
    scores = score(outcome.counts, settings) if not outcome.reason else dict.fromkeys(NAMES)
    return {
        "id": outcome.id,
        "system": outcome.system,
        "cluster": outcome.cluster,
        "status": "unscored" if outcome.reason else outcome.silent or "scored",
        "reason": outcome.reason,
        **{f"n_{name}": n for name, n in zip(FIELDS, outcome.counts.vector(), strict=True)},
        **scores,
        "reference_facts": _facts(reference, names),
        "prediction_facts": _facts(prediction, names),
        "alignment": json_line([entry_to_json(entry) for entry in quoted]),
        "errors": json_line([_error(e) for e in outcome.errors]),
        "reference_text": None if names else _text(pair.reference, pair.reference_text),
        "prediction_text": None if names else _text(pair.prediction),
        "extra": "" if names else _extra(pair),
    }


def _text(side: str | QuotedReport | ParsedReport | None, known: str | None = None) -> str | None:
    """The text that the positions of a side's facts count in."""
    text = side.text if isinstance(side, QuotedReport) else side
    return text if isinstance(text, str) else known


def _facts(report: ParsedReport | None, names: Callable[[str], str] | None) -> str | None:
    if report is None:
        return None
    return json_line(report_to_json(without_text(report, names) if names else report))


def _error(error: Error) -> dict[str, Cell]:
    return {
        "error": error.error,
        "detail": error.detail,
        "entity": error.entity,
        "name": error.name,
        "organ": error.organ,
        "section": error.section,
        "counts": error.counts,
    }


def _extra(pair: Pair) -> str:
    # Whatever a file's other fields hold (dates, NaN, broken Unicode) is kept in a form that can be written.
    return json.dumps(pair.extra, default=str) if pair.extra else ""


def error_rows(system: str | None, rows: Iterable[ErrorRow]) -> Iterator[dict[str, Cell]]:
    """The cells of a system's error table."""
    for row in rows:
        yield {
            "system": system,
            "error": row.error,
            "detail": row.detail,
            "entity": row.entity,
            "name": row.name,
            "organ": row.organ,
            "counts": row.counts,
            "count": row.count,
            "reports": row.reports,
            "examples": json_line(list(row.examples)),
        }
