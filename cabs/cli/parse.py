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
    parser: options.Parser = "rules",
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
) -> None:
    """Read reports and write their facts as JSON Lines: entity, organ, place, attributes, certainty,
    evidence."""
    from functools import partial

    from cabs.cli.backends import accounted, chosen
    from cabs.cli.door import warn
    from cabs.cli.render import progress
    from cabs.io.output import check_lines, text_output
    from cabs.io.reports import read_reports
    from cabs.scoring.facts import fact_lines, texts_ahead
    from cabs.scoring.pool import mapped

    check_lines(output)
    options.guard((output,), (reports, llm_config, *(ontology_extra or ())))
    total = None if options.once(reports) else sum(1 for _ in read_reports(reports))
    knowledge = options.ontology(ontology_extra)
    asked = chosen(parser, "rules", llm, llm_config, knowledge)
    make = partial(fact_lines, knowledge, asked.parser)
    unread: list[str] = []
    failed: list[str] = []
    with text_output(output) as handle, accounted(asked.parser, asked.aligner):
        with progress("parsing", total) as done:
            texts = texts_ahead(read_reports(reports), asked.parser)
            for n, line in enumerate(mapped(texts, make, asked.processes(workers, total)), 1):
                if line.failed:
                    failed.append(f"{line.id} ({line.failed})")
                else:
                    handle.write(line.text + "\n")
                if not line.read and not line.failed:
                    unread.append(line.id)
                done(n)
        for ids, what in ((unread, "were not read"), (failed, "have no line, for their parser failed")):
            if ids:
                more = ", ..." if len(ids) > SHOWN else ""
                warn(f"{len(ids)} of {n} reports {what}: {', '.join(ids[:SHOWN])}{more}")
