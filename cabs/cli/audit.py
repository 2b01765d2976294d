"""`cabs audit`: are the facts right? Two readings against each other, and people against a reading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options
from cabs.cli.audit_consistency import consistency
from cabs.cli.audit_correlation import correlation
from cabs.cli.audit_counterfactual import counterfactual
from cabs.cli.audit_humans import humans
from cabs.cli.audit_probes import probes

if TYPE_CHECKING:
    from cabs.studies.agreement import Agreement
    from cabs.studies.audit.rates import Rates

audit_app = typer.Typer(
    name="audit",
    help="Which facts and which metrics can be trusted: readings, people, systems and written errors compared.",
    no_args_is_help=True,
    add_completion=False,
)
audit_app.command(short_help="How many reports are read otherwise when read again.")(consistency)
audit_app.command(short_help="Do metrics see errors? Ladders of 0 to 5 of them.")(counterfactual)
audit_app.command(short_help="Do metrics agree, and do words hide wrong findings?")(correlation)
audit_app.command(short_help="Metrics against people's ratings or error counts.")(humans)
audit_app.command(short_help="Metrics against cheap tricks and a correct paraphrase.")(probes)


@audit_app.command(short_help="Two readings of the same reports, fact by fact.")
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
    from cabs.scoring.known import Known
    from cabs.scoring.reference import check_file
    from cabs.studies.agreement import agreement as study
    from cabs.studies.agreement.files import FILES, write_agreement

    options.guard(options.inside(output, FILES), (a, b, reports, *(ontology_extra or ())))
    first, second = read_fact_file(a), read_fact_file(b)
    names = (name_a or a.stem, name_b or b.stem)
    names = names if names[0] != names[1] else (str(a), str(b))
    knowledge = options.ontology(ontology_extra)
    for file in (first, second):
        if file.header is None or file.header.ontology_hash == knowledge.content_hash:
            check_file(file, Known(knowledge))
    with progress("comparing", len(first.reports.keys() & second.reports.keys())) as done:
        result = study(
            first,
            second,
            knowledge,
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
        for status, block in result.status.items():
            if block.paired:
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


@audit_app.command(short_help="A spreadsheet of facts for people to rate and correct.")
def sheet(
    file: Annotated[
        Path, typer.Argument(metavar="REPORTS_OR_FACTS", help="Reports, which are parsed, or facts with their text.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The sheet: .csv or .xlsx.")],
    reports: options.Reports = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="So many reports, drawn by --seed.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the sample and of the order of a blinded sheet.")] = 0,
    blind: Annotated[
        bool, typer.Option("--blind", help="Codes instead of ids and systems, in a drawn order; the key is kept apart.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a sheet that was rated, or the key of another sheet.")
    ] = False,
    ontology_extra: options.Extra = None,
) -> None:
    """Make a sheet of facts and their evidence for people to rate and correct.

    One row a fact, one for a report without facts, and one a report where a missing fact can be added.
    """
    from cabs.cli.door import note
    from cabs.io.output import check_ending
    from cabs.io.sheet import WRITTEN
    from cabs.io.spare import spare
    from cabs.scoring.known import Known
    from cabs.studies.audit.make import key_path, make_sheet, write
    from cabs.studies.audit.protect import protect
    from cabs.studies.audit.source import read_sources, read_texts

    check_ending(output, WRITTEN, "a sheet")
    places = (output, key_path(output)) if blind else (output,)
    spare(places, (file, reports, *(ontology_extra or ())))
    if not overwrite:
        protect(places, "name another place, or use --overwrite to lose them")
    texts = None if reports is None else read_texts(reports)
    knowledge = options.ontology(ontology_extra)
    sources = read_sources(file, texts)
    for source in sources:
        if source.facts is not None:
            Known(knowledge).check(source.facts, source.key.id, source.place, source.text)
    made = make_sheet(sources, knowledge, sample=sample, seed=seed, blind=blind)
    write(made, output, overwrite=overwrite)
    note(f"{made.facts} facts of {made.reports} reports written to {output}")
    if made.key:
        note(f"the key of the codes: {key_path(output)}")


@audit_app.command(short_help="Ratings back from a sheet, and frozen reference facts.")
def read(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="A rated sheet, .csv or .xlsx.")],
    reports: Annotated[Path, typer.Option(metavar="FILE", help="The texts that the sheet was made from.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Freeze the facts that stand here (.jsonl).")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of a blinded sheet.")] = None,
    system: Annotated[str | None, typer.Option(metavar="NAME", help="Only the reports of this system.")] = None,
    rater: Annotated[str, typer.Option(metavar="TEXT", help="Who rated; stands in the frozen file.")] = "",
    allow_unrated: Annotated[
        bool, typer.Option("--allow-unrated", help="Count unrated rows; their reports are not frozen.")
    ] = False,
    seed: options.Seed = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    ontology_extra: options.Extra = None,
) -> None:
    """Read ratings back: acceptance rates, and with -o a frozen, hashed file of reference facts.

    Every row is checked against the text: evidence, entities, organs and attribute kinds.
    """
    from cabs.cli.door import note
    from cabs.io.output import check_lines
    from cabs.metrics.intervals import Resampling
    from cabs.studies.audit.freeze import freeze
    from cabs.studies.audit.rates import rates
    from cabs.studies.audit.ratings import rated_reports
    from cabs.studies.audit.rows import read_key, read_rows
    from cabs.studies.audit.source import read_texts

    check_lines(output)
    options.guard((output,), (sheet, reports, key, *(ontology_extra or ())))
    knowledge = options.ontology(ontology_extra)
    rows = read_rows(sheet, None if key is None else read_key(key))
    found = rated_reports(
        rows.of_system(system, str(sheet)), read_texts(reports), knowledge, allow_unrated=allow_unrated
    )
    result = rates(found, knowledge, Resampling(n=draws, seed=seed), len(rows.missing))
    header = None if output is None else freeze(found, output, knowledge, raters=rater, text=not no_text)
    show_rates(result, as_json=as_json)
    if header is not None:
        note(f"{header.reports} of {len(found)} reports frozen in {output}, hash {header.content_hash[:12]}")


def show_rates(result: Rates, *, as_json: bool) -> None:
    """Print the rates of a sheet; what was not rated beside them."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_audit import groups_table, rates_table
    from cabs.io.jsontext import json_page

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        out.print(f"{result.rated} facts of {result.reports} reports rated, {result.added} added\n")
        out.print(rates_table(result))
        for group, keys in result.groups.items():
            if keys:
                out.print()
                out.print(groups_table(group, keys))
        out.print()
        out.print(str(result.signature), soft_wrap=True)
    if result.unrated:
        warn(f"{result.unrated} rows are unrated; their reports are in no frozen file")
    if result.missing_rows:
        warn(f"{result.missing_rows} rows of the sheet are gone; their reports are in no frozen file")
