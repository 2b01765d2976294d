"""`cabs ontology coverage`: what a corpus says and the parser does not know."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options
from cabs.cli.ontology import Extra, Folder

if TYPE_CHECKING:
    from cabs.studies.coverage import Coverage


def coverage(
    reports: Annotated[Path, typer.Argument(metavar="REPORTS", help="A file of reports, a text file, or -.")],
    top: Annotated[int, typer.Option(min=0, metavar="N", help="Phrases at most; 0: all.")] = 30,
    role: Annotated[
        list[str] | None,
        typer.Option(metavar="noun|modifier|predicate", help="Only phrases of this role; repeatable."),
    ] = None,
    min_reports: Annotated[int, typer.Option(min=1, metavar="N", help="Only phrases of N reports or more.")] = 1,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Leave out sentences, and phrases of fewer than five reports.")
    ] = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the phrases here: .csv or .xlsx.")
    ] = None,
    workers: options.Workers = None,
    ontology: Folder = None,
    ontology_extra: Extra = None,
) -> None:
    """List the most frequent phrases of REPORTS that the parser does not know.

    Also the share of sentences and words that it explains. The list is where an ontology grows: nouns become
    entities or places, modifiers attributes, predicates what is said of a place.
    """
    from cabs.cli.door import note
    from cabs.cli.render import progress
    from cabs.io.output import check_ending
    from cabs.io.reports import read_reports
    from cabs.io.sheet import WRITTEN
    from cabs.ontology import load_ontology
    from cabs.studies.coverage import coverage as covered
    from cabs.studies.coverage.sheet import write_coverage

    roles = _roles(role)
    if output is not None:
        check_ending(output, WRITTEN, "the phrases")
    options.guard((output,), (reports, ontology, *(ontology_extra or ())))
    knowledge = load_ontology(ontology, tuple(ontology_extra or ()))
    total = None if options.once(reports) else sum(1 for _ in read_reports(reports))
    with progress("reading", total) as done:
        found = covered(
            read_reports(reports),
            knowledge,
            top=top,
            roles=roles,  # type: ignore[arg-type]  # checked
            least=min_reports,
            text=not no_text,
            workers=options.processes(workers, total),
            progress=done,
        )
    if output is not None:
        write_coverage(found, output)
    show(found, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def _roles(roles: list[str] | None) -> tuple[str, ...]:
    from typing import get_args

    from cabs.errors import SettingError
    from cabs.studies.coverage import Role

    for role in roles or ():
        if role not in get_args(Role):
            raise SettingError(f"{role!r} is no role", place="--role", hint=f"one of: {', '.join(get_args(Role))}")
    return tuple(roles or ())


def show(found: Coverage, *, as_json: bool) -> None:
    """Print a coverage: the sums, the phrases and the signature."""
    from cabs.cli.render import console
    from cabs.cli.render_coverage import phrases_table, sums_in_words
    from cabs.io.jsontext import json_page

    if as_json:
        typer.echo(json_page(found.to_json()), nl=False)
        return
    out = console()
    for line in sums_in_words(found):
        out.print(line)
    out.print()
    if found.phrases:
        out.print(phrases_table(found, out.width))
        out.print(f"\n{len(found.phrases)} of {found.different} phrases")
    else:
        out.print("no unexplained phrase")
    out.print(str(found.signature), soft_wrap=True)
