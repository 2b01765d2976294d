"""Reports → lines of facts, as `cabs parse` writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from cabs.errors import CabsError, UnavailableError
from cabs.io.facts import report_to_json
from cabs.io.jsontext import json_line
from cabs.io.reports import ReportText
from cabs.ontology import Ontology
from cabs.parsing import parse
from cabs.scoring.backends import handed_over
from cabs.scoring.judge import Parser


class FactLine(NamedTuple):
    """The JSON line of a report, and whether anything was recognised in it. `failed`: why its parser gave nothing; then
    there is no line."""

    id: str
    text: str
    read: bool
    failed: str = ""


def fact_lines(ontology: Ontology, parser: Parser | None = None) -> Callable[[ReportText], FactLine]:
    """The function that turns a report into its line: `{"id", "facts", "normal", "read", "issues"}`. `parser`: reads
    the texts instead of the rules."""
    read = parser or partial(parse, ontology=ontology)

    def line(report: ReportText) -> FactLine:
        try:
            parsed = read(report.text)
        except UnavailableError:
            raise
        except CabsError as error:
            return FactLine(report.id, "", False, error.message)
        return FactLine(report.id, json_line({"id": report.id, **report_to_json(parsed)}), parsed.read)

    return line


def texts_ahead(reports: Iterable[ReportText], parser: Parser | None) -> Iterator[ReportText]:
    """The reports in their order, each handed over to a parser that waits for others some time before it comes."""
    return handed_over(reports, parser, lambda report: (report.text,))
