"""`cabs audit probes`: can a metric be tricked?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import metric_options, options

if TYPE_CHECKING:
    from cabs.studies.probes import Probing


def probes(
    file: Annotated[
        Path,
        typer.Argument(metavar="REFERENCES", help="Reports, pairs or cases; a paraphrase in a field of that name."),
    ],
    metric: metric_options.Metrics = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Write results.json, verdicts, checks, values, texts here."),
    ] = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Give metrics cheap tricks and a correct paraphrase in place of predictions: what a sound one makes of them.

    A probe is passed where every rule that holds for the metric's family is obeyed; which ones, and why, stands in the
    results.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.metrics.intervals import Resampling
    from cabs.studies.probes import probes as study
    from cabs.studies.probes import read_references
    from cabs.studies.probes.files import FILES, write_probes

    options.guard(options.inside(output, FILES), (file, *(ontology_extra or ())))
    references = read_references(file)
    knowledge = options.ontology(ontology_extra)
    metrics = metric_options.chosen(metric, metric_options.USUAL, knowledge)
    with progress("measuring", len(metrics)) as done:
        result = study(references, metrics, knowledge, resampling=Resampling(n=draws, seed=seed), progress=done)
    if output is not None:
        write_probes(result, output, text=not no_text)
    show(result, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def show(result: Probing, *, as_json: bool) -> None:
    """Print the verdicts: data on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_probes import LEGEND, failures_table, rules_lines, verdicts_table
    from cabs.io.jsontext import json_page
    from cabs.metrics.estimates import few_said

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        out.print(f"{result.references} references with findings, {result.written} written paraphrases\n")
        out.print(verdicts_table(result))
        out.print(f"\n{LEGEND}\n", soft_wrap=True)
        for line in rules_lines(result):
            out.print(line, soft_wrap=True)
        if any(passed is False for metric in result.metrics for passed in metric.verdicts.values()):
            out.print()
            out.print(failures_table(result))
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    if few := few_said(result.intervals()):
        warn(few)
    if result.normal:
        warn(f"{result.normal} references without findings are left out: there a normal report is no trick")
    if result.unread:
        warn(f"{result.unread} references were not read and are left out")
