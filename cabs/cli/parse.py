"""`cabs parse`: reports → facts, one JSON object a line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cabs.cli import options

SHOWN = 5
"""Ids that the warning names."""


def parse(
    reports: Annotated[Path, typer.Argument(metavar="REPORTS", help="A file of reports, a text file, or -.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where the facts go; else they are printed."),
    ] = None,
    workers: options.Workers = None,
    ontology_extra: options.Extra = None,
) -> None:
    """Read reports and write their facts as JSON Lines: entity, organ, place, attributes, certainty,
    evidence."""
    from functools import partial

    from cabs.cli.door import warn
    from cabs.cli.render import progress
    from cabs.io.output import check_lines, text_output
    from cabs.io.reports import read_reports
    from cabs.scoring.facts import fact_lines
    from cabs.scoring.pool import mapped

    check_lines(output)
    options.guard((output,), (reports, *(ontology_extra or ())))
    total = None if options.once(reports) else sum(1 for _ in read_reports(reports))
    make = partial(fact_lines, options.ontology(ontology_extra))
    unread: list[str] = []
    with text_output(output) as handle, progress("parsing", total) as done:
        lines = mapped(read_reports(reports), make, options.processes(workers, total))
        for n, line in enumerate(lines, 1):
            handle.write(line.text + "\n")
            if not line.read:
                unread.append(line.id)
            done(n)
    if unread:
        more = ", ..." if len(unread) > SHOWN else ""
        warn(f"{len(unread)} of {n} reports were not read: {', '.join(unread[:SHOWN])}{more}")
