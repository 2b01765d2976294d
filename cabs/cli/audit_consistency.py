"""`cabs audit consistency`: does a reader read the same when it reads again?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.cli.backends import Chosen
    from cabs.ontology import Ontology
    from cabs.studies.agreement.repeated import Reading, Repeated
    from cabs.values import ParsedReport


def consistency(
    reports: Annotated[Path, typer.Argument(metavar="REPORTS", help="A file of reports, a text file, or -.")],
    parser: options.Parser = "llm",
    runs: Annotated[int, typer.Option(min=2, metavar="N", help="How often every report is read.")] = 2,
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    as_json: options.AsJson = False,
    ontology_extra: options.Extra = None,
) -> None:
    """Read the same reports several times and say how many of them differ, unit by unit.

    Each run asks anew, under a number of its own; answers that are kept from an earlier study are not asked for again.
    """
    from cabs.cli.backends import chosen
    from cabs.io.reports import read_reports
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.backends import items_of
    from cabs.studies.agreement.repeated import repeated

    knowledge = options.ontology(ontology_extra)
    texts = {report.id: report.text for report in read_reports(reports)}
    readers = [
        chosen(parser, "rules", [*(llm or ()), f"run={n}"] if parser != "rules" else llm, llm_config, knowledge)
        for n in range(runs)
    ]
    readings = [_reading(reader, texts, knowledge, n) for n, reader in enumerate(readers, 1)]
    items = items_of(readers[0].parser)
    show(
        repeated(readings, knowledge, parser=parser, items=items, resampling=Resampling(n=draws, seed=seed)),
        as_json=as_json,
    )


def _reading(reader: Chosen, texts: dict[str, str], ontology: Ontology, n: int) -> Reading:
    """The facts of every report in one run."""
    from functools import partial

    from cabs.cli.backends import accounted
    from cabs.cli.render import progress
    from cabs.errors import CabsError, UnavailableError
    from cabs.parsing import parse
    from cabs.scoring.backends import handed_over

    read = reader.parser or partial(parse, ontology=ontology)
    found: dict[str, ParsedReport | str] = {}
    with accounted(reader.parser, reader.aligner), progress(f"run {n}", len(texts)) as done:
        for id, text in handed_over(texts.items(), reader.parser, lambda item: (item[1],)):
            try:
                found[id] = read(text)
            except UnavailableError:
                raise
            except CabsError as error:
                found[id] = error.message or "its parser failed"
            done(len(found))
    return found


def show(result: Repeated, *, as_json: bool) -> None:
    """Print a study: data on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console, empty_table
    from cabs.cli.render_audit import estimate
    from cabs.io.jsontext import json_page
    from cabs.scoring.left_out import SHOWN
    from cabs.studies.agreement.repeated import SHARES

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out, table = console(), empty_table("", "share")
        for name, label in SHARES.items():
            table.add_row(label, estimate(result.shares[name]))
        out.print(f"{result.runs} runs over {result.reports} reports, {result.facts} facts\n")
        out.print(table)
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    if result.failed:
        told = ", ".join(f"{item.id} ({item.reason})" for item in result.failed[:SHOWN])
        warn(f"{len(result.failed)} reports have no facts in some run and are left out: {told}")
