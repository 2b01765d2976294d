"""`cabs demo`: the shipped example, from text to results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cabs.cli import options

PAIRS = Path(__file__).resolve().parents[1] / "_demo" / "pairs.jsonl"
EXAMPLE = "demo-01"
"""The report that the closing line proposes to explain."""


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where the results go.")] = Path(
        "results/demo"
    ),
    workers: options.Workers = None,
    check: Annotated[
        bool, typer.Option("--check", help="Hold this machine to the recorded facts and scores; writes nothing.")
    ] = False,
) -> None:
    """Score a shipped example.

    Two invented systems on the same CT reports: one careful, one fluent but wrong.
    """
    if check:
        same_bytes()
        return
    from cabs.cli.compare import show as show_comparison
    from cabs.cli.door import note
    from cabs.cli.render import console, errors_table
    from cabs.cli.score import show
    from cabs.io.pairs import read_pairs
    from cabs.metrics.intervals import Resampling
    from cabs.scoring.compare import compare, contenders
    from cabs.scoring.judge import Plan
    from cabs.scoring.run import Options, run

    plan = Plan(options.ontology(None))
    how = Options(Resampling(), options.processes(workers, 0), output=output)
    result = run(read_pairs(PAIRS), plan, how)
    show(result, [], as_json=False)
    out = console()
    out.print("\nmost frequent errors", style="bold")
    out.print(errors_table(result.systems, rows=5))
    out.print("\nthe difference of the two systems", style="bold")
    careful, fluent = contenders(result, "")
    show_comparison(compare(careful, fluent))
    typer.echo(err=True)
    note(f"written to {output}; next: cabs explain {PAIRS} --id {EXAMPLE} --system {fluent.label}")


def same_bytes() -> None:
    """Print the digests of what the shipped examples give here, and whether they are the recorded ones.

    Raises:
        CabsError: one of them differs.
    """
    from cabs.errors import CabsError
    from cabs.scoring.digests import digests, recorded

    known, found = recorded(), digests(PAIRS, options.ontology(None))
    for name, digest in found.items():
        typer.echo(f"{name:<10} {digest} {'same' if digest == known.get(name) else 'differs'}")
    other = [name for name, digest in found.items() if digest != known.get(name)]
    if other:
        hint = "results from here can't be set beside those of other machines; are the package's files as installed?"
        raise CabsError(f"not as recorded: {', '.join(other)}", hint=hint)
