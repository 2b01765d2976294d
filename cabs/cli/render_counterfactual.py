"""How a counterfactual study looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.metrics.estimates import Estimate
from cabs.scoring.result import cell
from cabs.studies.counterfactual.edits import TYPES
from cabs.studies.counterfactual.result import MetricPhi, Part

COLUMNS = {"all": "all errors", "identity": "identity", "steps": "neighbours", "equal": "equal kept"}
"""What φ is of, and what the table calls it."""
LEGEND = (
    "φ: the share of pairs of texts that a metric orders as their numbers of errors (or the case) do, ties half: "
    "1 perfect, 0.5 blind; *: over the errors that the metric answers for"
)
CLEAN = "; clean: that, of the same texts without rewording"
"""What the numbers and marks of the tables are."""


def _bare(estimate: Estimate | None) -> str:
    return "-" if estimate is None or estimate.value is None else f"{estimate.value:.3f}"


def phi_table(part: Part) -> Table:
    """φ of every metric over all errors, errors of identity and neighbouring rungs; a star marks what a metric answers
    for."""
    shown = [what for what in COLUMNS if any(metric.phi[what].n for metric in part.metrics)]
    clean = any(metric.clean for metric in part.metrics)
    table = empty_table("φ", "family", *(COLUMNS[what] for what in shown), *(["clean"] if clean else []), left={0, 1})
    for metric in part.metrics:
        cells = [_marked(metric, what) for what in shown]
        bare = [_bare(metric.clean.get(metric.answers))] if clean else []
        table.add_row(metric.label, metric.family, *cells, *bare)
    return table


def _marked(metric: MetricPhi, what: str) -> str:
    estimate = metric.phi[what]
    return cell(estimate.value, estimate.interval) + ("*" if what == metric.answers else " ")


def types_table(part: Part) -> Table:
    """φ on 0 against 1 error, by type; the last row says how many pairs there are."""
    shown = [t for t in TYPES if any(metric.phi[f"type {t}"].n for metric in part.metrics)]
    table = empty_table("0 against 1 error", *shown)
    for metric in part.metrics:
        table.add_row(metric.label, *(_bare(metric.phi[f"type {t}"]) for t in shown))
    table.add_row("pairs", *(str(part.metrics[0].phi[f"type {t}"].n) for t in shown))
    return table


def categories_tables(parts: Sequence[Part]) -> Iterator[Table]:
    """φ by category of cases, and apart from it the share of kept pairs where a category has some that ought to be
    equal."""
    for what, title in (("all", "φ by category"), ("equal", "equal kept")):
        rows = [part for part in parts if any(metric.phi[what].n for metric in part.metrics)]
        if rows:
            table = empty_table(title, "cases", *(metric.label for metric in rows[0].metrics))
            for part in rows:
                table.add_row(part.category, str(part.groups), *(_bare(m.phi[what]) for m in part.metrics))
            yield table
