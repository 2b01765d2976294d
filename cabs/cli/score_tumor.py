"""`cabs score --task tumor`: is there a tumor, of what size, where, how does it enhance, in which slice."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cabs.cli import options
from cabs.cli.tasks import Given, takes_only

if TYPE_CHECKING:
    from cabs.ontology import Ontology
    from cabs.scoring.tasks.tumor.judge import TumorPlan
    from cabs.scoring.tasks.tumor.result import TumorResult


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of `cabs score` that the task takes, by their names there."""

    file: Path
    predictions: Path | None
    choices: list[str] | None
    cluster: str | None
    no_text: bool
    as_json: bool
    output: Path | None
    allow_missing: bool
    reference_facts: Path | None
    allow_missing_facts: bool
    workers: int | None
    seed: int
    draws: int
    ontology_extra: list[Path] | None


TAKEN = tuple(field.name for field in fields(Asked))


def score_tumor(given: Given) -> None:
    """Run the task: `given` is what the options of `cabs score` are set to.

    Raises:
        CabsError: an input, an option or the output is at fault.
    """
    takes_only(given, TAKEN, "tumor")
    _run(Asked(**{name: given[name] for name in TAKEN}))


def _run(asked: Asked) -> None:
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.io.pairs import Reading, read_pairs
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.known import Known
    from cabs.scoring.reference import reference_facts
    from cabs.scoring.tasks.tumor.run import FILES, TumorOptions, run_tumor

    inputs = (asked.file, asked.predictions, asked.reference_facts, *(asked.ontology_extra or ()))
    options.guard(options.inside(asked.output, FILES), inputs)
    plan = plan_of(options.ontology(asked.ontology_extra), asked.choices, text=not asked.no_text)
    known, path = Known(plan.ontology), asked.reference_facts
    facts = None if path is None else reference_facts(path, allow_missing=asked.allow_missing_facts, known=known)
    how = Reading(asked.cluster, asked.allow_missing, facts is not None)
    total = options.count(asked.file, asked.predictions, how)
    with progress("scoring", total) as done:
        how_to_run = TumorOptions(
            resampling=Resampling(n=asked.draws, seed=asked.seed),
            cluster=asked.cluster,
            reference_facts=facts,
            workers=options.processes(asked.workers, total),
            output=asked.output,
            progress=done,
        )
        result = run_tumor(known.pairs(read_pairs(asked.file, asked.predictions, how)), plan, how_to_run)
    show(result, plan, as_json=asked.as_json)
    if asked.output is not None:
        note(f"written to {asked.output}")


def plan_of(ontology: Ontology, choices: list[str] | None, *, text: bool = True) -> TumorPlan:
    """The plan that `--set NAME=VALUE` names.

    Raises:
        SettingError: a name or a value is unknown.
    """
    from cabs.rewards.options import filled
    from cabs.scoring.tasks.tumor.columns import Columns
    from cabs.scoring.tasks.tumor.judge import Counting, TumorPlan
    from cabs.scoring.tasks.tumor.options import Comparing

    known = [f.name for kind in (Comparing, Columns, Counting) for f in fields(kind)]
    chosen = options.chosen(choices, known)
    made = filled(Comparing, chosen, "--set"), filled(Columns, chosen, "--set"), filled(Counting, chosen, "--set")
    return TumorPlan(ontology, *made, text)


def show(result: TumorResult, plan: TumorPlan, *, as_json: bool) -> None:
    """Print a result: data on the standard output, warnings beside it."""
    from cabs.cli.door import warn_of
    from cabs.cli.render import console
    from cabs.cli.render_tumor import tumor_tables
    from cabs.io.jsontext import json_page
    from cabs.scoring.tasks.tumor.result import document

    if as_json:
        typer.echo(json_page(document(result)), nl=False)
    else:
        out = console()
        for table in tumor_tables(result, plan.counting.over, out.width):
            out.print(table)
            out.print()
        out.print(str(result.signature), soft_wrap=True)
    warn_of(result)
