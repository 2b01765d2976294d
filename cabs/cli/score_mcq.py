"""`cabs score --task mcq`: answers to multiple-choice questions → signed accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cabs.cli import options
from cabs.cli.tasks import Given, takes_only

if TYPE_CHECKING:
    from cabs.scoring.tasks.mcq import McqResult

TAKEN = ("file", "cluster", "allow_missing", "seed", "draws", "no_text", "as_json", "output")


def score_mcq(given: Given) -> None:
    """Score the answers in a file of questions; `given` are the options of `cabs score`."""
    from cabs.cli.door import note
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.tasks.mcq import read_items, score_items
    from cabs.scoring.tasks.mcq.files import FILES, write_files

    takes_only(given, TAKEN, "mcq")
    output, cluster = given["output"], given["cluster"]
    options.guard(options.inside(output, FILES), (given["file"],))
    items = read_items(given["file"], cluster, allow_missing=given["allow_missing"])
    result = score_items(items, Resampling(n=given["draws"], seed=given["seed"]), cluster)
    if output is not None:
        write_files(result, output, text=not given["no_text"])
    show(result, as_json=given["as_json"])
    if output is not None:
        note(f"written to {output}")


def show(result: McqResult, *, as_json: bool) -> None:
    """Print a result: data on the standard output, what was not answered beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_mcq import mcq_table
    from cabs.io.jsontext import json_page
    from cabs.metrics.estimates import few_said

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        for system in result.systems:
            out.print(mcq_table(system, named=len(result.systems) > 1 or system.system is not None))
            out.print()
        out.print(str(result.signature), soft_wrap=True)
    for system in result.systems:
        if system.why:
            reasons = ", ".join(f"{why} {n}" for why, n in system.why.items())
            left = sum(system.why.values())
            warn(f"{system.label}: {left} of {system.overall.items} predictions name no one option ({reasons})")
    few = few_said(system.overall.accuracy.interval for system in result.systems)
    if few:
        warn(few)
    if result.open:
        warn(f"{result.open} questions without options are left out")
