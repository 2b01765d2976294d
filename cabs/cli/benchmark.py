"""`cabs benchmark`: what a leaderboard is fixed by, for those who organise it and those who take part."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.leaderboard.benchmark.definition import Definition
    from cabs.leaderboard.benchmark.schema import Change

benchmark_app = typer.Typer(
    name="benchmark",
    help="Definitions of benchmarks: shipped ones, references from official downloads, corrections, submissions.",
    no_args_is_help=True,
    add_completion=False,
)
Given = Annotated[
    str, typer.Argument(metavar="BENCHMARK", help="A definition, its folder, or the name of a shipped one.")
]
Own = Annotated[Path, typer.Argument(metavar="FILE", help="The definition, or its folder.")]
Why = Annotated[str, typer.Option(metavar="TEXT", help="What the change log says of it.")]
By = Annotated[str, typer.Option(metavar="NAME", help="Who decided it.")]
On = Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The day; by default today.")]


@benchmark_app.command("list")
def list_shipped() -> None:
    """List the definitions that come with CABS."""
    from cabs.cli.render import console, empty_table
    from cabs.leaderboard.benchmark.definition import shipped

    table = empty_table("name", "title", "licence of the texts", left=(0, 1, 2))
    for definition in shipped():
        table.add_row(definition.benchmark.name, definition.benchmark.title, definition.benchmark.licence)
    console().print(table)


@benchmark_app.command()
def show(benchmark: Given) -> None:
    """Print a definition with its steps, as a file to start from."""
    from cabs.leaderboard.benchmark.definition import read_definition

    typer.echo(read_definition(benchmark).file.read_text(encoding="utf-8"), nl=False)


@benchmark_app.command(short_help="Make references from the official download of a data set.")
def prepare(
    benchmark: Given,
    download: Annotated[Path, typer.Argument(metavar="DOWNLOAD", help="The folder of the official download.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Write references and definition here.")
    ],
    ontology_extra: options.Extra = None,
) -> None:
    """Make the references of a benchmark from the official download of its texts.

    A definition without a checksum gets that of these references; one with a checksum is held to it.
    """
    from cabs.cli.door import note, warn
    from cabs.errors import InputError, OutputError
    from cabs.io.ids import some
    from cabs.leaderboard.benchmark.definition import FILE, read_definition
    from cabs.leaderboard.benchmark.prepare import prepared
    from cabs.leaderboard.benchmark.record import prepared_definition

    definition = read_definition(benchmark)
    recipe = definition.benchmark.prepare
    if recipe is None:
        hint = "its references come with it"
        raise InputError("the definition has no recipe", place=f"{definition.file}: prepare", hint=hint)
    references = output / definition.benchmark.references.file
    options.guard((references, output / FILE), (definition.file, *_files(download)))
    if (output / FILE).exists():
        hint = "name another folder, or remove it"
        raise OutputError("there is a benchmark already", place=str(output / FILE), hint=hint)
    found = prepared(recipe, download)
    if found.empty:
        warn(f"{len(found.empty)} reports have no text and are left out: {some(found.empty)}")
    made = prepared_definition(definition, found.lines, output, options.ontology(ontology_extra))
    _told(made)
    note(f"written to {output}")


def _files(download: Path) -> list[Path]:
    if download.is_file():
        return [download]
    return [path for path in download.iterdir() if path.is_file()] if download.is_dir() else []


@benchmark_app.command(short_help="Compute checksum and signature, and write them down.")
def fix(
    benchmark: Own,
    why: Why = "",
    by: By = "",
    on: On = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Compute the checksum of the references and the signature of results, and write them into the definition.

    With --why the benchmark gets a new version with a line in its change log: after an update of CABS, say.
    """
    from cabs.leaderboard.benchmark.definition import own_definition
    from cabs.leaderboard.benchmark.record import write_fixed

    definition = own_definition(benchmark)
    change = _change(definition, why, by, on) if why or by or on else None
    _told(write_fixed(definition, options.ontology(ontology_extra), change))


@benchmark_app.command(short_help="Record corrected reference facts, after an appeal.")
def correct(
    benchmark: Own,
    facts: Annotated[Path, typer.Argument(metavar="FACTS", help="Corrected facts that `cabs audit read -o` froze.")],
    why: Why,
    by: By = "",
    on: On = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Record corrected reference facts, as an appeal asks for: all systems are scored against them from now on."""
    from cabs.leaderboard.benchmark.definition import own_definition
    from cabs.leaderboard.benchmark.record import write_correction

    definition = own_definition(benchmark)
    change = _change(definition, why, by, on)
    _told(write_correction(definition, facts, change, options.ontology(ontology_extra)))


@benchmark_app.command(short_help="Check submissions without scoring them.")
def check(
    submissions: Annotated[
        list[Path],
        typer.Argument(metavar="SUBMISSIONS", help="Folders with submission.yaml, or one of such folders."),
    ],
    benchmark: Annotated[Path, typer.Option(metavar="FILE", help="The definition that they take part in.")],
) -> None:
    """Check submissions without scoring them: their file, their predictions, and every id."""
    from cabs.cli.door import tell
    from cabs.cli.visible import one_line
    from cabs.errors import CabsError
    from cabs.leaderboard.benchmark.definition import own_definition
    from cabs.leaderboard.benchmark.submission import check_submission, each, read_submission

    definition = own_definition(benchmark)
    definition.check_references()
    failed = 0
    for folder in each(submissions):
        try:
            submission = read_submission(folder)
            predictions, missing = check_submission(submission, definition)
        except CabsError as error:
            tell(error)
            failed += 1
            continue
        lacking = f", {missing} missing, which count as reports that say nothing" if missing else ""
        typer.echo(one_line(f"{folder}: {submission.said.system}: {predictions} predictions{lacking}"))
    if failed:
        raise typer.Exit(1)


def _change(definition: Definition, why: str, by: str, on: str | None) -> Change:
    from datetime import UTC, datetime

    from pydantic import ValidationError

    from cabs.errors import SettingError
    from cabs.leaderboard.benchmark.schema import Change

    day = on or datetime.now(UTC).date().isoformat()
    try:
        return Change(version=definition.benchmark.version + 1, on=day, why=why, by=by)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise SettingError(f"{first['msg']}, not {first['input']!r}", place=f"--{first['loc'][0]}") from None


def _told(definition: Definition) -> None:
    benchmark = definition.benchmark
    typer.echo(f"{benchmark.name} {benchmark.version}: {benchmark.references.reports} references")
    typer.echo(f"sha256 {benchmark.references.sha256}")
    typer.echo(str(benchmark.signature))
