"""`cabs leaderboard`: results of several systems → a ranked board, its tables and a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.leaderboard import Board
    from cabs.leaderboard.benchmark.definition import Definition
    from cabs.leaderboard.benchmark.rescore import Scorer
    from cabs.leaderboard.board import Framed
    from cabs.ontology import Ontology

Runs = Annotated[
    list[Path],
    typer.Argument(metavar="RUNS", help="Folders that `cabs score -o` wrote; with --benchmark submissions too."),
]
Site = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Write the site, and the board as Markdown, CSV and JSON, here."
    ),
]
Benchmark = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The definition of the benchmark that the systems take part in."),
]
RankBy = Annotated[str | None, typer.Option(metavar="METRIC", help="The metric that ranks; by default fc_f1.")]
Surface = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="A metric of words to show beside, of `cabs metrics`; repeatable. none: none."),
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the board.")]


def leaderboard(
    runs: Runs,
    output: Site = None,
    benchmark: Benchmark = None,
    rank_by: RankBy = None,
    surface: Surface = None,
    title: Title = None,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    workers: options.Workers = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Rank systems that were scored in the same way on the same references, with intervals and paired tests.

    Results that were made in different ways are refused, and the setting is named. With --benchmark the definition
    says how submissions are scored, and what ranks.
    """
    from cabs.cli.door import note
    from cabs.leaderboard import board as rank
    from cabs.leaderboard.benchmark.rescore import entrants
    from cabs.leaderboard.board import RANKED_BY
    from cabs.leaderboard.site.files import write_site

    _guard(output, runs, benchmark)
    knowledge = options.ontology(ontology_extra)
    definition = None if benchmark is None else _definition(benchmark, rank_by)
    scorer = None if definition is None else _scorer(definition, knowledge, workers)
    found = entrants(runs, scorer)
    metric = rank_by or (RANKED_BY if definition is None else definition.benchmark.rank_by)
    words = None if surface is None else [name for name in surface if name != "none"]
    board = rank(found, metric, words=words, framed=_framed(definition, title))
    if output is not None:
        text = not no_text and (definition is None or definition.benchmark.publish_text)
        write_site(board, output, knowledge, text=text)
    show(board, as_json=as_json)
    if output is not None:
        note(f"written to {output}; open {output / 'index.html'}")


def _guard(output: Path | None, runs: list[Path], benchmark: Path | None) -> None:
    """Before any work: that no file of the site replaces one that is read, or one that is of no board."""
    from cabs.errors import OutputError
    from cabs.leaderboard.site.files import check_place, earlier

    if output is None:
        return
    read = [path for run in runs if run.is_dir() for path in run.iterdir() if path.is_file()]
    options.guard(options.inside(output, earlier(output)), (*read, benchmark))
    if any(run.is_dir() and output.exists() and run.samefile(output) for run in runs):
        hint = "name another folder for the site"
        raise OutputError("this folder is read by this command", place=str(output), hint=hint)
    check_place(output)


def _definition(benchmark: Path, rank_by: str | None) -> Definition:
    from cabs.errors import SettingError
    from cabs.leaderboard.benchmark.definition import own_definition

    if rank_by is not None:
        hint = "its definition says what ranks: rank_by"
        raise SettingError("a benchmark has its own metric that ranks", place="--rank-by", hint=hint)
    return own_definition(benchmark)


def _scorer(definition: Definition, knowledge: Ontology, workers: int | None) -> Scorer:
    from cabs.cli.door import note
    from cabs.leaderboard.benchmark.rescore import Scorer

    processes = options.processes(workers, definition.benchmark.references.reports)
    return Scorer(definition, knowledge, processes, tell=note)


def _framed(definition: Definition | None, title: str | None) -> Framed:
    from dataclasses import replace

    from cabs.leaderboard.board import Framed

    framed = Framed() if definition is None else definition.framed
    return framed if title is None else replace(framed, title=title)


def show(board: Board, *, as_json: bool) -> None:
    """Print a board: the table on the standard output, what is left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_leaderboard import board_table
    from cabs.io.jsontext import json_page
    from cabs.leaderboard.markdown import SAID
    from cabs.leaderboard.tables import document

    if as_json:
        typer.echo(json_page(document(board)), nl=False)
    else:
        out = console()
        out.print(board_table(board, out.width))
        out.print(f"\n{board.reports} reports, ranked by {board.metric.label}. {SAID}", soft_wrap=True)
        out.print(f"\n{board.signature}", soft_wrap=True)
    for message in board.notes:
        warn(message)
