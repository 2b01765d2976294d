"""`cabs compare`: is one system better than another on the same references?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.scoring.compare import Comparison, Contender

Run = Annotated[Path, typer.Argument(metavar="A", help="A folder that `cabs score -o` wrote, or a file of pairs.")]


def compare(
    a: Run,
    b: Annotated[Path | None, typer.Argument(metavar="B", help="The other; without it A holds both systems.")] = None,
    system_a: Annotated[str | None, typer.Option(metavar="NAME", help="The system of A, if it has several.")] = None,
    system_b: Annotated[str | None, typer.Option(metavar="NAME", help="The system of B, if it has several.")] = None,
    trials: Annotated[int, typer.Option(min=1, metavar="N", help="Random swaps of the paired test.")] = 10_000,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    choices: options.Choices = None,
    cluster: options.Cluster = None,
    allow_missing: options.AllowMissing = False,
    workers: options.Workers = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Test the difference of two systems on the reports that both have: paired randomisation of whole
    reports.

    The options from --scope on tell how files of pairs are scored; a folder of results says so itself.
    """
    from cabs.io.jsontext import json_page
    from cabs.scoring import compare as rooms

    def found(path: Path) -> list[Contender]:
        if rooms.is_run(path):
            return rooms.read_run(path)
        return _scored(path, scope, match, choices, cluster, allow_missing, workers, ontology_extra)

    first, second = _two(found(a), None if b is None else found(b), (system_a, system_b), (a, b))
    comparison = rooms.compare(first, second, trials=trials, seed=seed)
    if as_json:
        typer.echo(json_page(comparison.to_json()), nl=False)
        return
    show(comparison)
    typer.echo(str(first.signature))


def show(comparison: Comparison) -> None:
    """Print a comparison: the tests on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import comparison_table, console

    out = console()
    out.print(comparison_table(comparison))
    trials = max((test.trials for test in comparison.tests.values()), default=0)
    out.print(f"\n{comparison.common} reports in common; {trials} paired swaps, two-sided, p not corrected")
    left_out = comparison.only_a + comparison.only_b
    if left_out:
        warn(f"{left_out} reports that only one of the two has are left out")


def _two(
    a: list[Contender],
    b: list[Contender] | None,
    systems: tuple[str | None, str | None],
    paths: tuple[Path, Path | None],
) -> tuple[Contender, Contender]:
    from cabs.scoring.compare import chosen

    if b is None:
        _two_of_one(a, systems, str(paths[0]))
        if systems == (None, None) and len(a) == 2:
            return a[0], a[1]
    return chosen(a, systems[0], str(paths[0])), chosen(b or a, systems[1], str(paths[1] or paths[0]))


def _two_of_one(found: list[Contender], systems: tuple[str | None, str | None], place: str) -> None:
    """Whether one file or folder can give both systems.

    Raises:
        InputError: it holds one alone, or several and not two of them are named, or one is named twice.
    """
    from cabs.errors import InputError

    names = ", ".join(repr(c.label) for c in found)
    if len(found) == 1:
        hint = f"give a second folder or file: cabs compare {place} OTHER"
        raise InputError(f"holds one system alone ({names}), and two are compared", place=place, hint=hint)
    if systems != (None, None) and (None in systems or systems[0] == systems[1]):
        hint = f"name two different ones with --system-a and --system-b, of: {names}"
        raise InputError("two systems are compared, and one is named", place=place, hint=hint)
    if systems == (None, None) and len(found) > 2:
        hint = "choose two with --system-a and --system-b"
        raise InputError(f"holds {len(found)} systems ({names})", place=place, hint=hint)


def _scored(
    path: Path,
    scope: str,
    match: str,
    choices: list[str] | None,
    cluster: str | None,
    allow_missing: bool,
    workers: int | None,
    extra: list[Path] | None,
) -> list[Contender]:
    from cabs.io.pairs import Reading, read_pairs
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.compare import contenders
    from cabs.scoring.judge import Plan
    from cabs.scoring.known import Known
    from cabs.scoring.run import Options, run

    how = Reading(cluster, allow_missing)
    total = options.count(path, None, how)
    knowledge = options.ontology(extra)
    plan = Plan(knowledge, options.settings(scope, match, choices))
    how_to_run = Options(Resampling(n=0), options.processes(workers, total), cluster)
    return contenders(run(Known(knowledge).pairs(read_pairs(path, how=how)), plan, how_to_run), path.name)
