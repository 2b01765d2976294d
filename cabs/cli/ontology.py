"""`cabs ontology`: look into the knowledge that the scores rest on, and check it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from cabs.ontology import Ontology
    from cabs.ontology.lint import Checked
    from cabs.ontology.search import Hit

ontology_app = typer.Typer(
    name="ontology",
    help="Search, show, check and try the ontology.",
    no_args_is_help=True,
    add_completion=False,
)

Folder = Annotated[
    Path | None,
    typer.Option("--ontology", metavar="DIR", help="An ontology folder instead of the packaged one."),
]
Extra = Annotated[
    list[Path] | None,
    typer.Option("--ontology-extra", metavar="DIR", help="A folder that adds or overrides terms; repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _load(folder: Path | None, extra: list[Path] | None) -> Ontology:
    from cabs.ontology import load_ontology

    return load_ontology(folder, tuple(extra or ()))


@ontology_app.command(short_help="List what has a name that holds a word, or is spelt like it.")
def search(
    term: Annotated[str, typer.Argument(metavar="TERM", help="A word or name; near spellings are found too.")],
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Rows at most.")] = 20,
    type: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            help="Only abnormality, device, postoperative, variant, artifact, structure, organ or attribute.",
        ),
    ] = None,
    as_json: AsJson = False,
    ontology: Folder = None,
    ontology_extra: Extra = None,
) -> None:
    """List the entities, structures, organs and attributes whose names hold TERM or are spelt like it."""
    from cabs.ontology.search import TYPES
    from cabs.ontology.search import search as find
    from cabs.ontology.suggest import meant

    if type is not None and type not in TYPES:
        raise typer.BadParameter(
            f"unknown type {type!r}{meant(type, TYPES)}; known are {', '.join(TYPES)}", param_hint="--type"
        )
    hits = find(_load(ontology, ontology_extra), term, limit, type)
    if as_json:
        typer.echo(json.dumps([hit._asdict() for hit in hits], ensure_ascii=False, indent=2))
    elif hits:
        typer.echo(_table(("id", "label", "type", "found as"), [hit[:4] for hit in hits]))
    if not hits:
        typer.echo(f"nothing is called {term!r} or nearly so", err=True)
        raise typer.Exit(1)


@ontology_app.command(short_help="Print everything that is known of an id.")
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="An id of an entity, structure, organ or attribute kind.")],
    as_json: AsJson = False,
    ontology: Folder = None,
    ontology_extra: Extra = None,
) -> None:
    """Print everything that is known of ID: its fields, what is above and below it, its parts and its
    weight."""
    from cabs.ontology.describe import describe

    loaded = _load(ontology, ontology_extra)
    try:
        records = describe(loaded, id)
    except KeyError:
        _unknown(loaded, id, f"no entity, structure, organ or attribute kind has the id {id!r}")
    if as_json:
        typer.echo(json.dumps(records, ensure_ascii=False, indent=2))
        return
    typer.echo("\n\n".join(_fields(record) for record in records))


@ontology_app.command()
def lint(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER", help="The folder to check: a whole one, or one of extra terms.", show_default=False
        ),
    ] = None,
    examples: Annotated[
        bool, typer.Option("--examples", help="Parse the examples of the packaged ontology too.")
    ] = False,
    as_json: AsJson = False,
    ontology: Folder = None,
    ontology_extra: Extra = None,
) -> None:
    """Check an ontology folder: ids, names, rules and examples. Exits with 1 if there is a problem.

    A folder without a manifest is checked as extra terms on top of the ontology in use. The examples of the folders
    that you name are parsed and have to give the facts that they state, once files and ids are right.
    """
    from cabs.ontology.lint import check
    from cabs.ontology.locate import MARKER
    from cabs.parsing import parse

    extra = tuple(map(str, ontology_extra or ()))
    if folder is not None and folder.is_dir() and not (folder / MARKER).is_file():
        extra, folder = (*extra, str(folder)), None
    found = check(
        folder or ontology,
        extra,
        lambda text, loaded: parse(text, ontology=loaded),
        every=examples or (folder or ontology) is not None,
    )
    _tell(found, as_json)
    if found.problems:
        raise typer.Exit(1)


def _tell(found: Checked, as_json: bool) -> None:
    """Print problems; on the standard error their number, notes, and what could not be checked."""
    if as_json:
        typer.echo(json.dumps([problem._asdict() for problem in found.problems], ensure_ascii=False, indent=2))
    else:
        typer.echo("\n".join(map(str, found.problems)) or "no problems")
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)
    if found.examples:
        typer.echo(f"{found.examples} example{'s' * (found.examples > 1)} parsed", err=True)
    if found.problems:
        left = "; no example was parsed, mend these first" if found.examples is None else ""
        typer.echo(f"{len(found.problems)} problem{'s' * (len(found.problems) > 1)}{left}", err=True)


@ontology_app.command()
def resolve(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of an abnormality, as a report or a label set has it.")
    ],
    ontology: Folder = None,
    ontology_extra: Extra = None,
) -> None:
    """Print the entity id that NAME means. Exits with 1, and offers near names, if it means none."""
    loaded = _load(ontology, ontology_extra)
    found = loaded.resolve(name)
    if found is None:
        _unknown(loaded, name, f"no entity is called {name!r}")
    typer.echo(found)


def _unknown(ontology: Ontology, term: str, message: str) -> NoReturn:
    from cabs.ontology.search import search as find

    near: list[Hit] = find(ontology, term, 5)
    typer.echo(message, err=True)
    if near:
        typer.echo("near: " + ", ".join(f"{hit.id} ({hit.name})" for hit in near), err=True)
    raise typer.Exit(1)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns as wide as they need, so that nothing is cut in a pipe."""
    widths = [max(len(str(row[i])) for row in (head, *rows)) for i in range(len(head))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)
    ]
    return "\n".join(line.rstrip() for line in lines)


def _fields(record: dict[str, Any]) -> str:
    width = max(map(len, record)) + 2
    shown = {field: _shown(value) for field, value in record.items()}
    return "\n".join(f"{field.ljust(width)}{text}" for field, text in shown.items() if text)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
