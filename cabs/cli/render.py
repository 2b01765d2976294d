"""How results look in a terminal: tables, progress, marked texts. The only module that draws."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cabs.cli.drawn import console as console  # where it has always been asked for
from cabs.cli.drawn import empty_table as empty_table
from cabs.cli.visible import one_line, tame
from cabs.metrics import By, metrics, score
from cabs.scoring.compare import Comparison
from cabs.scoring.explain import Entry, Mark, Verdict, fact_in_words, marks
from cabs.scoring.result import Result, SystemResult, cell

LABEL, CELL, NUMBER = 22, 22, 11
"""Columns that a row's label, a score with its interval and a bare number take."""

SIDE_BY_SIDE = 3
"""Systems that are shown beside each other with every metric; more are ranked."""

HEADLINE = ("fc_f1", "f1", "precision", "recall", "loc_acc", "att_acc", "or_f1", "cabs_score")
WITH_INTERVAL = ("fc_f1", "f1")
STYLES: dict[Verdict, str] = {"right": "green", "flawed": "yellow", "missed": "red", "false": "magenta"}
SIGNS: dict[Verdict, str] = {"right": "=", "flawed": "~", "missed": "-", "false": "+"}


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on the standard error while the block runs, if that is a terminal; the function is told what is
    done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def scores_table(result: Result, width: int) -> Table:
    """The scores of every system: every metric of a few systems that fit beside each other, or the headline
    metrics of many."""
    fitting = min(SIDE_BY_SIDE, max(1, (width - LABEL) // CELL))
    return _beside(result) if len(result.systems) <= fitting else _ranked(result, width)


def _beside(result: Result) -> Table:
    table = empty_table("", *(s.label for s in result.systems))
    family = ""
    for name, metric in metrics(result.settings).items():
        if metric.family != family:
            family = metric.family
            table.add_row(Text(family, style="bold"))
        values = (cell(s.scores[name], s.intervals.get(name)) for s in result.systems)
        table.add_row(f"  {metric.label}", *values)
    table.add_row(Text("counts", style="bold"))
    for label, value in COUNTED.items():
        table.add_row(f"  {label}", *(str(value(s)) for s in result.systems))
    return table


COUNTED: Mapping[str, Callable[[SystemResult], int]] = {
    "pairs scored": lambda s: s.counts.reports,
    "pairs unscored": lambda s: s.counts.unscored,
    "predictions not read": lambda s: s.counts.reports - s.counts.prediction_read,
    "reference facts": lambda s: s.counts.facts,
    "hits": lambda s: s.counts.hits,
    "missed": lambda s: s.counts.facts - s.counts.hits,
    "false": lambda s: s.counts.extra,
}


def _ranked(result: Result, width: int) -> Table:
    """Systems by FC-F1, the ranking default, with as many of the headline metrics as fit."""
    known, shown = metrics(result.settings), _that_fit(width - LABEL - NUMBER, WITH_INTERVAL)
    table = empty_table("system", "scored", *(known[name].label for name in shown))
    for s in sorted(result.systems, key=lambda s: (-(s.scores["fc_f1"] or 0), s.label)):
        values = (cell(s.scores[n], s.intervals.get(n) if n in WITH_INTERVAL else None) for n in shown)
        table.add_row(s.label, str(s.counts.reports), *values)
    return table


def _that_fit(width: int, wide: Sequence[str] = ()) -> list[str]:
    """The first headline metrics that fit into a width, one at least."""
    shown: list[str] = []
    for name in HEADLINE:
        width -= CELL if name in wide else NUMBER
        if width < 0 and shown:
            break
        shown.append(name)
    return shown


def parts_table(result: Result, system: SystemResult, by: By, width: int) -> Table:
    """One system's scores apart for each organ, entity, section or kind; the most reference facts first."""
    known, shown = metrics(result.settings), _that_fit(width - LABEL - 3 * NUMBER)
    title = by if len(result.systems) == 1 else f"{system.label}: {by}"
    table = empty_table(title, "facts", "hits", "false", *(known[name].label for name in shown))
    for key, counts in sorted(system.by[by].items(), key=lambda item: (-item[1].facts, item[0])):
        scores = score(counts, result.settings)
        numbers = (str(n) for n in (counts.facts, counts.hits, counts.extra))
        table.add_row(key or "(unknown)", *numbers, *(cell(scores[name], None) for name in shown))
    return table


def errors_table(systems: Sequence[SystemResult], rows: int) -> Table:
    """The most frequent errors of each system."""
    table = empty_table("system", "error", "of", "organ", "count", "for example")
    for system in systems:
        for row in [r for r in system.errors if r.counts][:rows]:
            what = row.error.replace("_", " ") + (f" ({row.detail})" if row.detail else "")
            name = row.name or row.entity
            cells = (system.label, what, name, row.organ, str(row.count), ", ".join(row.examples[:3]))
            table.add_row(*map(one_line, cells))
    return table


def comparison_table(comparison: Comparison) -> Table:
    """Both systems' metrics on the common reports, the difference and its p."""
    table = empty_table("", comparison.a, comparison.b, "difference", "p")
    for name, metric in metrics(comparison.settings).items():
        test = comparison.tests[name]
        difference = "-" if test.difference is None else f"{test.difference:+.3f}"
        p = "-" if test.p is None else f"{test.p:.4f}"
        table.add_row(metric.label, cell(test.a, None), cell(test.b, None), difference, p)
    return table


def marked(text: str, found: Sequence[Entry], side: str) -> Text:
    """A text with its facts' mentions in guillemets, each with the numbers of its entries: readable without
    colour."""
    out, at = Text(), 0
    for mark in marks(found, "reference" if side == "reference" else "prediction", len(text)):
        out.append(tame(text[at : mark.span.start]))
        words = text[mark.span.start : mark.span.end]
        out.append(f"«{_numbers(mark)}{' ' if words else ''}", style="bold")
        out.append(tame(words), style=f"bold {STYLES[mark.entries[0].verdict]}")
        out.append("»", style="bold")
        at = mark.span.end
    out.append(tame(text[at:]))
    return out


def _numbers(mark: Mark) -> str:
    return ",".join(str(n) for n in sorted({e.number for e in mark.entries}))


def entry_lines(entry: Entry) -> Iterator[Text]:
    """An entry: its number and sign, each side's fact in words, and the errors."""
    style = STYLES[entry.verdict]
    sides = [("reference ", entry.reference), ("prediction", entry.prediction)]
    head = f"{entry.number:>3} {SIGNS[entry.verdict]} "
    for label, fact in sides:
        if fact is not None:
            yield Text.assemble((head, f"bold {style}"), (f"{label} ", "dim"), one_line(fact_in_words(fact)))
            head = " " * len(head)
    for error in entry.errors:
        yield Text.assemble(" " * 6, (one_line(f"! {error}"), style))
