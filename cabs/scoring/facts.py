"""Reports → lines of facts, as `cabs parse` writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cabs.io.facts import report_to_json
from cabs.io.jsontext import json_line
from cabs.io.reports import ReportText
from cabs.ontology import Ontology
from cabs.parsing import parse


class FactLine(NamedTuple):
    """The JSON line of a report, and whether anything was recognised in it."""

    id: str
    text: str
    read: bool


def fact_lines(ontology: Ontology) -> Callable[[ReportText], FactLine]:
    """The function that turns a report into its line: `{"id", "facts", "normal", "read", "issues"}`."""

    def line(report: ReportText) -> FactLine:
        parsed = parse(report.text, ontology=ontology)
        return FactLine(report.id, json_line({"id": report.id, **report_to_json(parsed)}), parsed.read)

    return line
