"""`cabs export`: a training run for another trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cabs.cli import options
from cabs.cli.train import Configuration

export_app = typer.Typer(help="Write a training run for another trainer.", no_args_is_help=True, rich_markup_mode=None)


@export_app.callback()
def export() -> None:
    """Write a training run for another trainer."""


@export_app.command(short_help="Tables and launch scripts for verl on Ray.")
def verl(
    config: Configuration,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Write tables and scripts here.")],
    as_json: options.AsJson = False,
) -> None:
    """Write Parquet tables, launch scripts for GRPO, RLOO, ReMax and REINFORCE++, and one for a Ray cluster."""
    from cabs.cli.door import note, warn
    from cabs.io.jsontext import json_page
    from cabs.training.config import read_config
    from cabs.training.verl.folder import FILES, export_verl

    run = read_config(config)
    data = (run.path(name) for name in (run.config.data.train, run.config.data.eval) if name is not None)
    options.guard(options.inside(output, FILES), (config, *data))
    page = export_verl(run, output)
    if as_json:
        typer.echo(json_page(page), nl=False)
    if page["not_translated"]:
        warn(f"of trainer, verl gets none of: {', '.join(page['not_translated'])}; give its own under verl.options")
    if run.config.sft is not None:
        warn("the cold start is not exported: run cabs train for it and name its model (OUTPUT/sft/model)")
    note(f"{page['rows']['train']} training and {page['rows']['held_out']} held-out rows written to {output}")
