"""`cabs audit humans`: do metrics agree with people?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import metric_options, options

if TYPE_CHECKING:
    from cabs.studies.humans import Humans


def humans(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Pairs with a field for each rater, or cases that tell their order.")
    ],
    rater: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[:higher|lower]",
            help="A field with ratings (higher) or numbers of errors (lower); repeatable.",
        ),
    ] = None,
    metric: metric_options.Metrics = None,
    column: metric_options.Columns = None,
    scores: metric_options.Scores = None,
    cluster: options.Cluster = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Write results.json, agreements.csv and pairs.csv here."),
    ] = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Hold metrics against ratings or error counts: τ-b, Spearman, Pearson, preference, the raters' own ceiling.

    Candidates of one reference are drawn together and are those that preference compares. Cases (candidates with an
    expected_ranking, or variants with their errors) need no rater.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.metrics.intervals import Resampling
    from cabs.studies.humans import humans as study
    from cabs.studies.humans import read_rated, read_rater
    from cabs.studies.humans.files import FILES, write_humans

    options.guard(options.inside(output, FILES), (file, scores, *(ontology_extra or ())))
    rated = read_rated(file, [read_rater(spelled) for spelled in rater or ()], cluster=cluster)
    knowledge = options.ontology(ontology_extra)
    metrics = metric_options.chosen(metric, metric_options.USUAL, knowledge, column, scores)
    with progress("comparing", len(metrics)) as done:
        result = study(rated, metrics, knowledge, resampling=Resampling(n=draws, seed=seed), progress=done)
    if output is not None:
        write_humans(result, output, text=not no_text)
    show(result, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def show(result: Humans, *, as_json: bool) -> None:
    """Print the agreements: data on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_humans import agreements_table, orders_table
    from cabs.io.jsontext import json_page
    from cabs.metrics.estimates import few_said

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        out.print(f"{result.pairs} candidates of {result.references} references, {len(result.raters)} raters\n")
        if result.raters:
            out.print(agreements_table(result))
            out.print()
        if result.rated.orders:
            out.print(orders_table(result))
            out.print()
        out.print(str(result.signature), soft_wrap=True)
    if result.raters and result.full < result.pairs:
        warn(f"{result.pairs - result.full} candidates that not every rater rated are left out")
    for metric in result.metrics:
        if metric.left_out:
            warn(f"{metric.name} is undefined for {metric.left_out} candidates; they are left out for it")
    if few := few_said(result.intervals()):
        warn(few)
    for message in result.notes:
        warn(message)
