"""`cabs`: the command line. One file a command; this one mounts them."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cabs.cli.audit import audit_app
from cabs.cli.benchmark import benchmark_app
from cabs.cli.compare import compare
from cabs.cli.coverage import coverage
from cabs.cli.demo import demo
from cabs.cli.door import through
from cabs.cli.explain import explain
from cabs.cli.export import export_app
from cabs.cli.leaderboard import leaderboard
from cabs.cli.metrics import metrics
from cabs.cli.ontology import ontology_app
from cabs.cli.parse import parse
from cabs.cli.rewards import rewards
from cabs.cli.score import score
from cabs.cli.slices import slices
from cabs.cli.train import train
from cabs.io.formula import VARIABLE
from cabs.version import __version__

app = typer.Typer(
    name="cabs",
    help="Score radiology reports for clinical correctness: text, facts, alignment, signed numbers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (score, explain, compare, leaderboard, parse, metrics, rewards, slices, train, demo):
    app.command()(command)
app.add_typer(audit_app, name="audit")
app.add_typer(benchmark_app, name="benchmark")
app.add_typer(export_app, name="export")
ontology_app.command()(coverage)
app.add_typer(ontology_app, name="ontology")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cabs {__version__}")
        raise typer.Exit


@app.callback()
def cabs(
    version: Annotated[  # noqa: ARG001  # its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    harmless_csv: Annotated[
        bool,
        typer.Option(
            "--harmless-csv",
            help="Put an apostrophe before cells of CSV files that a spreadsheet program may run as formulas.",
        ),
    ] = False,
) -> None:
    """Score radiology reports for clinical correctness."""
    if harmless_csv:
        os.environ[VARIABLE] = "1"  # the processes of a run have it too


def main() -> None:
    """Run the command line of this process."""
    sys.exit(through(app))
