"""`cabs doctor`: what is installed, what is missing, and whether it works."""

from __future__ import annotations

import typer

from cabs.cli import options


def doctor(as_json: options.AsJson = False) -> None:
    """Tell what is installed, what is missing and how to get it. Exits with 1 if the core does not work.

    Looks at this machine alone and asks the network for nothing. Put its output into a report of a fault.
    """
    from cabs.checkup import checkup
    from cabs.checkup.checkup import as_json as in_json
    from cabs.cli.door import OURS
    from cabs.cli.drawn import console
    from cabs.cli.render_doctor import checkup_lines
    from cabs.io.jsontext import json_page

    found = checkup()
    if as_json:
        typer.echo(json_page(in_json(found)), nl=False)
    else:
        out = console()
        for part in checkup_lines(found):
            out.print(part)
    if not found.core.works:
        raise typer.Exit(OURS)
