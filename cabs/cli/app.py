"""`cabs`: the command line. One file a command; this one mounts them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from cabs.cli.audit import audit_app
from cabs.cli.benchmark import benchmark_app
from cabs.cli.compare import compare
from cabs.cli.coverage import coverage
from cabs.cli.demo import demo
from cabs.cli.doctor import doctor
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
SHORT: Mapping[Callable[..., None], str] = {
    score: "Score predictions against references, fact by fact.",
    explain: "Show how one pair is scored, fact by fact.",
    compare: "Test the difference of two systems.",
    leaderboard: "Rank systems, and write a site with every case.",
    parse: "Read reports and write their facts.",
    metrics: "List every metric, and what it needs.",
    rewards: "List the rewards, or compute them for completions.",
    slices: "Write slices of a CT volume as images.",
    train: "Train a report generator with a reward.",
    demo: "Score a shipped example.",
    doctor: "Tell what is installed, what is missing, whether it works.",
}
"""Each command in a line of the list, which would cut a longer one."""
for command, short in SHORT.items():
    app.command(short_help=short)(command)
app.add_typer(audit_app, name="audit", short_help="Which facts and which metrics can be trusted.")
app.add_typer(benchmark_app, name="benchmark", short_help="Define a benchmark, check submissions to it.")
app.add_typer(export_app, name="export")
ontology_app.command(short_help="List the phrases of reports that the parser does not know.")(coverage)
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
