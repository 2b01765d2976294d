"""`cabs score`: predictions → signed clinical scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.scoring import Result


def score(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Pairs, or the references; - is JSON Lines on stdin.")
    ],
    predictions: Annotated[
        Path | None, typer.Argument(metavar="FILE2", help="Predictions, joined by id.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="system|organ|entity|section|kind", help="Print a breakdown too; repeatable."),
    ] = None,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    choices: options.Choices = None,
    cluster: options.Cluster = None,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Keep every word of the reports out of what is written.")
    ] = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Write results.json, the reports and the error table here."
        ),
    ] = None,
    allow_missing: options.AllowMissing = False,
    workers: options.Workers = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    ontology_extra: options.Extra = None,
) -> None:
    """Score predictions against references, fact by fact.

    Prints every metric with its interval, and the signature that the numbers were made under.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.io.pairs import Reading, read_pairs
    from cabs.matching import Settings
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.judge import Plan
    from cabs.scoring.run import Options, run

    groups = _groups(by)
    how = Reading(cluster, allow_missing)
    # Everything that is wrong with the input is said before the work begins.
    total = (
        None if "-" in (str(file), str(predictions)) else sum(1 for _ in read_pairs(file, predictions, how))
    )
    chosen: Settings = options.settings(scope, match, choices)
    plan = Plan(options.ontology(ontology_extra), chosen, text=not no_text)
    with progress("scoring", total) as done:
        how_to_run = Options(
            resampling=Resampling(n=draws, seed=seed),
            workers=options.processes(workers, total),
            cluster=cluster,
            output=output,
            progress=done,
            resumed=lambda n: note(f"going on with an unfinished run: {n} pairs are done"),
        )
        result = run(read_pairs(file, predictions, how), plan, how_to_run)
    show(result, groups, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def _groups(by: list[str] | None) -> list[str]:
    from cabs.errors import SettingError
    from cabs.metrics import By

    known = ("system", *get_args(By))
    for group in by or ():
        if group not in known:
            raise SettingError(f"{group!r} is no breakdown", place="--by", hint=f"one of: {', '.join(known)}")
    return [group for group in by or () if group != "system"]  # systems always have columns of their own


def show(result: Result, groups: list[str], *, as_json: bool) -> None:
    """Print a result: data on the standard output, warnings beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console, parts_table, scores_table
    from cabs.io.jsontext import json_page
    from cabs.scoring.document import document

    if as_json:
        typer.echo(json_page(document(result)), nl=False)
    else:
        out = console()
        out.print(scores_table(result))
        for group in groups:
            for system in result.systems:
                out.print()
                out.print(parts_table(result, system, group))  # type: ignore[arg-type]
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    for system in result.systems:
        for message in system.warnings:
            warn(message if system.system is None else f"{system.label}: {message}")
    for message in result.warnings:
        warn(message)
