"""`cabs audit`: are the facts right? Two readings against each other, and people against a reading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.studies.agreement import Agreement

audit_app = typer.Typer(
    name="audit",
    help="Check facts: two readings against each other, and by people in a sheet.",
    no_args_is_help=True,
    add_completion=False,
)


@audit_app.command()
def agreement(
    a: Annotated[Path, typer.Argument(metavar="A", help="Facts, as cabs parse writes them or in the gold format.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Other facts of the same reports, joined by id.")],
    name_a: Annotated[str | None, typer.Option(metavar="NAME", help="What to call A; else its file's name.")] = None,
    name_b: Annotated[str | None, typer.Option(metavar="NAME", help="What to call B; else its file's name.")] = None,
    reports: options.Reports = None,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Write results.json and tables of reports, slots and differences here.",
        ),
    ] = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Compare two readings of the same reports, fact by fact: parsers, annotators, runs.

    A and B have the same rights. Reports that only one of them has are counted and left out.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.io.factfile import read_fact_file
    from cabs.metrics.intervals import Resampling
    from cabs.studies.agreement import agreement as study
    from cabs.studies.agreement.files import write_agreement

    first, second = read_fact_file(a), read_fact_file(b)
    names = (name_a or a.stem, name_b or b.stem)
    names = names if names[0] != names[1] else (str(a), str(b))
    with progress("comparing", len(first.reports.keys() & second.reports.keys())) as done:
        result = study(
            first,
            second,
            options.ontology(ontology_extra),
            settings=options.settings(scope, match, None),
            resampling=Resampling(n=draws, seed=seed),
            names=names,
            texts=_texts(reports),
            progress=done,
        )
    if output is not None:
        write_agreement(result, output, text=not no_text)
    show(result, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def _texts(reports: Path | None) -> dict[str, str]:
    from cabs.io.reports import read_reports

    return {} if reports is None else {report.id: report.text for report in read_reports(reports)}


def show(result: Agreement, *, as_json: bool) -> None:
    """Print an agreement: data on the standard output, what was left out beside it."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_audit import shares_table, slots_table
    from cabs.io.jsontext import json_page

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        out.print(f"A: {result.a.name}\nB: {result.b.name}\n{result.reports} reports of both\n")
        out.print(shares_table(result))
        for status in result.status:
            out.print()
            out.print(slots_table(result, status))
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    for reader in (result.a, result.b):
        if reader.only:
            shown = ", ".join(reader.only[:3]) + (", ..." if len(reader.only) > 3 else "")
            warn(f"{len(reader.only)} reports that only {reader.name} has are left out: {shown}")
        if reader.unread:
            warn(f"{reader.unread} reports were not read by {reader.name} and count as reports without facts")
