"""`cabs audit correlation`: do metrics agree, and do words hide wrong findings?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import metric_options, options

if TYPE_CHECKING:
    from cabs.studies.correlation import Correlation

Runs = Annotated[
    list[Path],
    typer.Argument(metavar="RUNS", help="Pairs of several systems on the same references: one file, or several."),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "--metrics",
        metavar="A,B,C",
        help="Metrics of `cabs metrics`, repeatable; all: every one. By default those that need no model and grade a "
        "whole report.",
    ),
]
Model = Annotated[
    Path | None, typer.Option(metavar="DIR", help="An encoder's directory, for embedding similarity and BERTScore.")
]
Controls = Annotated[
    bool, typer.Option("--controls/--no-controls", help="Five systems that see no image beside the real ones.")
]
Normal = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The text of the constant normal report; else a built-in one.")
]
Bounds = Annotated[bool, typer.Option("--bounds", help="Print every value with its interval.")]
Folder = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Write results.json, tables, figures and index.html here."),
]


def correlation(
    runs: Runs,
    metrics: Metrics = None,
    columns: metric_options.Columns = None,
    scores: metric_options.Scores = None,
    model: Model = None,
    controls: Controls = True,
    normal: Normal = None,
    bounds: Bounds = False,
    cluster: options.Cluster = None,
    allow_missing: options.AllowMissing = False,
    reference_facts: options.ReferenceFacts = None,
    allow_missing_facts: options.AllowMissingFacts = False,
    workers: options.Workers = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: Folder = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Correlate metrics over systems and over reports; show which systems words favour and facts don't.

    Ranks and rank correlations are of the real systems; controls are shown beside them.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.io.pairs import Reading
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.reference import reference_facts as read_facts
    from cabs.studies.correlation import correlation as study
    from cabs.studies.correlation.choice import choose, split_names
    from cabs.studies.correlation.controls import read_normal
    from cabs.studies.correlation.files import write_correlation
    from cabs.studies.correlation.run import Design
    from cabs.studies.correlation.runs import read_runs

    _see(output, (*runs, scores, normal, reference_facts, *(ontology_extra or ())))
    knowledge = options.ontology(ontology_extra)
    chosen = choose(knowledge, split_names(metrics or ()), model=model, columns=columns or (), scores=scores)
    facts = None if reference_facts is None else read_facts(reference_facts, allow_missing=allow_missing_facts)
    text = "" if normal is None else read_normal(normal)
    design = Design(Resampling(n=draws, seed=seed), controls, text, facts, cluster)
    found = read_runs(runs, Reading(cluster, allow_missing))
    with progress("measuring", len(chosen.metrics) + draws) as done:
        result = study(
            found,
            chosen.metrics,
            knowledge,
            design=design,
            unavailable=chosen.unavailable,
            workers=options.processes(workers, len(found.ids) * len(found.systems)),
            progress=done,
        )
    if output is not None:
        write_correlation(result, output, text=not no_text)
    show(result, as_json=as_json, bounds=bounds)
    if output is not None:
        note(f"written to {output}; {output / 'index.html'} shows all of it")


def _see(output: Path | None, read: Iterable[Path | None]) -> None:
    """Before any work: that the files can be made and replace nothing that is read."""
    from cabs.studies.correlation.files import FILES, check

    options.guard(options.inside(output, FILES), read)
    if output is not None:
        check()


def show(result: Correlation, *, as_json: bool, bounds: bool) -> None:
    """Print a study: data on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_correlation import families_table, systems_tables
    from cabs.io.jsontext import json_page
    from cabs.studies.correlation.page import summary

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        out.print(f"{len(result.real)} systems, {result.reports} reports; controls in brackets\n")
        for table in systems_tables(result, out.width, bounds):
            out.print(table)
            out.print()
        out.print(families_table(result))
        out.print()
        for sentence in summary(result):
            out.print(sentence, soft_wrap=True)
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    for message in result.notes:
        warn(message)
    for metric in result.unavailable:
        warn(f"{metric.name} is left out: it needs {metric.missing} ({metric.install})")
