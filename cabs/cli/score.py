"""`cabs score`: predictions → signed clinical scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import typer

from cabs.cli import options
from cabs.cli.score_ray import RAY, check_engine, run_on_ray
from cabs.cli.tasks import run_elsewhere

if TYPE_CHECKING:
    from cabs.cli.backends import Chosen
    from cabs.scoring import Result
    from cabs.scoring.judge import Plan
    from cabs.scoring.known import Known
    from cabs.scoring.reference import ReferenceFacts
    from cabs.scoring.run import Options
    from cabs.values import Pair


def score(
    file: options.PairsAnywhere,
    predictions: options.Predictions = None,
    by: options.By = None,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    choices: options.Choices = None,
    cluster: options.Cluster = None,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: options.Folder = None,
    allow_missing: options.AllowMissing = False,
    reference_facts: options.ReferenceFacts = None,
    allow_missing_facts: options.AllowMissingFacts = False,
    workers: options.Workers = None,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    ontology_extra: options.Extra = None,
    task: options.Task = "report",
    parser: options.Parser = "rules",
    matcher: options.Matcher = "rules",
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
    engine: options.Engine = "local",
    address: options.Address = None,
) -> None:
    """Score predictions against references, fact by fact; or answers to the questions of another --task.

    Prints every metric with its interval, and the signature that the numbers were made under.
    """
    if run_elsewhere(task, {**locals(), "file": Path(file)}):
        return
    check_engine(engine, address, locals())
    from cabs.cli.backends import chosen
    from cabs.io.pairs import Reading, read_pairs
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.judge import Plan
    from cabs.scoring.known import Known
    from cabs.scoring.run import Options

    groups = _groups(by)
    path = Path(file)
    _guard(output, (path, predictions, reference_facts, llm_config, *(ontology_extra or ())))
    known = Known(options.ontology(ontology_extra))
    facts = _facts(reference_facts, allow_missing_facts, known)
    how = Reading(cluster, allow_missing, facts is not None)
    total = None if engine == RAY else options.count(path, predictions, how)
    settings = options.settings(scope, match, choices)
    asked = chosen(parser, matcher, llm, llm_config, known.ontology, settings, text=not no_text)
    plan = Plan(known.ontology, settings, text=not no_text, parser=asked.parser, aligner=asked.aligner)
    processes = 1 if engine == RAY else asked.processes(workers, total)
    drawn = Resampling(n=draws, seed=seed)
    how_to_run = Options(drawn, processes, cluster, output, resumed=_resumed, reference_facts=facts)
    with resumable(output):
        if engine == RAY:
            result = run_on_ray(file, how, address, plan, how_to_run)
        else:
            result = _run(known.pairs(read_pairs(path, predictions, how)), total, asked, plan, how_to_run)
    show(result, groups, as_json=as_json)
    _say_where(output)


def _guard(output: Path | None, inputs: Iterable[Path | None]) -> None:
    from cabs.scoring.files import FILES

    options.guard(options.inside(output, FILES), inputs)


def _facts(file: Path | None, allow_missing: bool, known: Known) -> ReferenceFacts | None:
    from cabs.scoring.reference import reference_facts

    return None if file is None else reference_facts(file, allow_missing=allow_missing, known=known)


def _say_where(output: Path | None) -> None:
    from cabs.cli.door import note

    if output is not None:
        note(f"written to {output}")


def _run(pairs: Iterable[Pair], total: int | None, asked: Chosen, plan: Plan, how: Options) -> Result:
    """The run with a sign of progress, and a word on what was asked and what is kept."""
    from dataclasses import replace

    from cabs.cli.backends import accounted
    from cabs.cli.render import progress
    from cabs.scoring.run import run

    with accounted(asked.parser, asked.aligner), progress("scoring", total) as done:
        return run(pairs, plan, replace(how, progress=done))


def _resumed(done: int) -> None:
    from cabs.cli.door import note

    note(f"going on with an unfinished run: {done} pairs are done")


@contextmanager
def resumable(output: Path | None) -> Iterator[None]:
    """Says where a run was stopped (by an interrupt, a full disk, a dead process) that what is finished is kept, where
    it is; the same command goes on."""
    from cabs.errors import CabsError, HeldError

    try:
        yield
    except (KeyboardInterrupt, SystemExit, CabsError) as stop:
        from cabs.cli.door import note
        from cabs.io.journal import journal_path

        if output is not None and not isinstance(stop, HeldError) and journal_path(output).is_file():
            note(f"what is done is kept in {journal_path(output)}; the same command goes on from there")
        raise


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
    from cabs.cli.door import warn_of
    from cabs.cli.render import console, parts_table, scores_table
    from cabs.io.jsontext import json_page
    from cabs.scoring.document import document

    if as_json:
        typer.echo(json_page(document(result)), nl=False)
    else:
        out = console()
        out.print(scores_table(result, out.width))
        for group in groups:
            for system in result.systems:
                out.print()
                out.print(parts_table(result, system, group, out.width))  # type: ignore[arg-type]
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    warn_of(result)
