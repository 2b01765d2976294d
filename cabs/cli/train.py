"""`cabs train`: a configuration → a trained model."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.training.config import Run
    from cabs.training.preflight import Preflight

Configuration = Annotated[Path, typer.Argument(metavar="CONFIG.yaml", help="What to train, on what, for which reward.")]


def train(
    config: Configuration,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the configuration, the data and the reward; load no model.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove what an earlier run left in the output folder and start anew.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Train a report generator with a reward (GRPO or RLOO over TRL, after a cold start if asked for).

    A run that was stopped goes on from its newest checkpoint. Several GPUs: accelerate launch -m cabs train CONFIG.yaml
    """
    from cabs.cli.door import note
    from cabs.training.arguments import check_installed
    from cabs.training.config import read_config
    from cabs.training.preflight import preflight

    run = read_config(config)
    if dry_run:
        show(preflight(run), as_json=as_json)
        try_values(run)
        return
    check_installed()
    found = preflight(run)
    if os.environ.get("RANK", "0") == "0":
        show(found, as_json=as_json)
    from cabs.training.launch import launch

    with redirect_stdout(sys.stderr):  # trainers print their logs
        launch(found, fresh=fresh, tell=note)


def try_values(run: Run) -> None:
    """Warn of values that the trainers would refuse on this machine, with as many processes as there are now; the run
    may be for another one."""
    from cabs.cli.door import warn
    from cabs.errors import InputError
    from cabs.training.arguments import check_values, installed

    if not installed():
        return
    try:
        check_values(run)
    except InputError as error:
        warn(f"on this machine: {error}")


def show(found: Preflight, *, as_json: bool) -> None:
    """Print what a check found."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_training import preflight_table
    from cabs.io.jsontext import json_page

    if as_json:
        typer.echo(json_page(found.to_json()), nl=False)
    else:
        console().print(preflight_table(found))
        console().print(found.reward.signature, soft_wrap=True)
    for message in found.warnings:
        warn(message)
