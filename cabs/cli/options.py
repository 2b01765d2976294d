"""Options that several commands share, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cabs.io.pairs import Reading
    from cabs.matching import Settings
    from cabs.ontology import Ontology

Extra = Annotated[
    list[Path] | None,
    typer.Option(
        "--ontology-extra", metavar="DIR", help="Add or override terms with a folder of your own; repeatable."
    ),
]
Scope = Annotated[
    str, typer.Option(metavar="report|section", help="Score the report as a whole, or its sections apart.")
]
Match = Annotated[
    str, typer.Option(metavar="strict|hierarchical", help="Whether a more general or special entity may hit.")
]
Choices = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting by its name in the signature; repeatable."),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Draw these groups (patients) instead of reports for intervals."),
]
AllowMissing = Annotated[
    bool, typer.Option("--allow-missing", help="Count a missing prediction as a report that says nothing.")
]
ReferenceFacts = Annotated[
    Path | None,
    typer.Option("--reference-facts", metavar="FILE", help="Checked facts that stand in for the references, by id."),
]
AllowMissingFacts = Annotated[
    bool, typer.Option("--allow-missing-facts", help="Parse a reference that has no such facts.")
]
Task = Annotated[
    str,
    typer.Option(
        metavar="report|mcq|tumor", help="What is scored: reports, answers to multiple-choice questions, or tumors."
    ),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the draws of intervals and tests.")]
Draws = Annotated[int, typer.Option(min=0, metavar="N", help="Bootstrap draws; 0: no intervals.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Processes; by default one a core, for few reports one."),
]
Pairs = Annotated[Path, typer.Argument(metavar="FILE", help="Pairs, or the references alone; - reads JSON Lines.")]
PairsAnywhere = Annotated[
    str, typer.Argument(metavar="FILE", help="Pairs, or the references alone; - reads JSON Lines; with ray an address.")
]
Predictions = Annotated[Path | None, typer.Argument(metavar="FILE2", help="Predictions, joined by id.")]
By = Annotated[
    list[str] | None,
    typer.Option(metavar="system|organ|entity|section|kind", help="Print a breakdown too; repeatable."),
]
NoText = Annotated[bool, typer.Option("--no-text", help="Keep every word of the reports out of what is written.")]
Folder = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Write results.json, the reports and the error table here."),
]
Reports = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The texts of the reports, where the facts come without them.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Parser = Annotated[
    str, typer.Option(metavar="rules|llm|hybrid", help="What reads texts: rules, an LLM, or rules first.")
]
Matcher = Annotated[
    str, typer.Option(metavar="rules|llm|hybrid", help="What matches facts: rules, an LLM, or rules first.")
]
Llm = Annotated[
    list[str] | None,
    typer.Option(
        "--llm", metavar="NAME=VALUE", help="A setting of the LLM: base_url, model, concurrency, ...; repeatable."
    ),
]
LlmConfig = Annotated[
    Path | None, typer.Option("--llm-config", metavar="FILE", help="The same settings in a file of YAML.")
]

Engine = Annotated[str, typer.Option(metavar="local|ray", help="Where pairs are judged: here, or by a Ray cluster.")]
Address = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Of the Ray cluster; by default one that is started here.")
]

FEW = 300
"""Reports for which starting processes costs more than it gains."""


def guard(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Before any work: see that what is written replaces neither what is read nor a sheet that people have rated.

    Raises:
        OutputError: it would.
    """
    from cabs.io.spare import spare
    from cabs.studies.audit.protect import protect

    places = tuple(outputs)
    spare(places, inputs)
    protect(places)


def inside(folder: Path | None, names: Iterable[str]) -> list[Path]:
    """The files of these names in a folder that is to be written; none for None."""
    return [] if folder is None else [folder / name for name in names]


def ontology(extra: list[Path] | None) -> Ontology:
    """The ontology with the user's folders."""
    from cabs.ontology import load_ontology

    return load_ontology(extra=tuple(extra or ()))


def chosen(choices: list[str] | None, known: Sequence[str]) -> dict[str, str]:
    """What `--set NAME=VALUE` says, by name.

    Raises:
        SettingError: one says nothing, or its name is none of `known`.
    """
    from cabs.errors import SettingError
    from cabs.registry import offer

    found: dict[str, str] = {}
    for choice in choices or ():
        name, equals, value = choice.partition("=")
        if not equals or name not in known:
            hint = offer(name, known) if equals else f"NAME=VALUE of {', '.join(known)}"
            raise SettingError(f"{choice!r} is no setting", place="--set", hint=hint)
        found[name] = value
    return found


def settings(scope: str, match: str, choices: list[str] | None) -> Settings:
    """The settings that the options name.

    Raises:
        SettingError: a name or a value is unknown.
    """
    from dataclasses import fields

    from cabs.matching import Settings

    items = {"scope": scope, "match": match}
    known = [f.name for f in fields(Settings)]
    return Settings.from_items(items | chosen(choices, known))


def processes(workers: int | None, reports: int | None) -> int:
    """The number of processes for so many reports (None: unknown)."""
    import os

    if workers is not None:
        return workers
    if reports is not None and reports < FEW:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def once(path: Path) -> bool:
    """Whether a place can be read a single time: the standard input or a pipe."""
    return str(path) == "-" or path.is_fifo()


def count(file: Path, predictions: Path | None, how: Reading) -> int | None:
    """The number of pairs, None where they can be read a single time. Reads everything, so that what is wrong with the
    input is said before the work begins.

    Raises:
        InputError: a pair can't be read.
    """
    from cabs.io.pairs import read_pairs

    if once(file) or (predictions is not None and once(predictions)):
        return None
    return sum(1 for _ in read_pairs(file, predictions, how))
