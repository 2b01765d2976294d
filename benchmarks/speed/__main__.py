"""How fast CABS is beside other scorers: the same pairs, one process, one core, runs taken in turn.

`python -m benchmarks.speed [--xray FILE] [--medspacy PYTHON] [--repeats N]`. Every cold run of CABS starts with a new
parser, so that no report is known from the run before; making it is not timed here. Ends with 1 where a ratio lies
below its floor (marks.yaml).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks import pages, store
from benchmarks.marks import fallen
from benchmarks.speed import page, sets
from benchmarks.speed.clock import one_core
from benchmarks.speed.command import on_cores, start_up
from benchmarks.speed.compare import compare
from benchmarks.speed.growth import with_length
from benchmarks.speed.parts import milliseconds
from benchmarks.speed.pipeline import beside

REPEATS = 5
PAIRS = (2_000, 20_000)
"""Pairs of the runs of `cabs score`."""
MARKS = Path(__file__).with_name("marks.yaml")
Figures = dict[str, Any]


def measured(options: argparse.Namespace) -> tuple[Figures, Figures]:
    """All figures: those of what ships, and those of the file that does not."""
    shipped = sets.shipped()
    with one_core():
        figures: Figures = {
            "sets": {name: compare(pairs, options.repeats) for name, pairs in shipped.items()},
            "milliseconds_per_ct_pair": milliseconds(shipped["ct"]),
            "long_report": with_length(shipped["ct"]),
            "seconds": start_up(options.repeats),
        }
        if options.medspacy:
            figures["medspacy"] = beside(options.medspacy, shipped["ct"])
        own = {name: compare(pairs, options.repeats) for name, pairs in sets.local(options.xray).items()}
    figures["command"] = on_cores(PAIRS, min(options.repeats, 3))
    return figures, own


def main(argv: list[str] | None = None) -> int:
    """Measure, print and store; 1 where a ratio lies below its floor."""
    parser = argparse.ArgumentParser(prog="make speed", description=__doc__)
    parser.add_argument("--xray", type=Path, help="pairs or reports of chest radiographs that can't be shipped")
    parser.add_argument("--medspacy", type=Path, help="an interpreter that has medspaCy")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"turns of every scorer (default {REPEATS})")
    options = parser.parse_args(argv)
    figures, own = measured(options)
    print(page.sets({**figures["sets"], **own}), page.on_cores(figures["command"]), sep="\n\n")
    for part in ("milliseconds_per_ct_pair", "seconds", "long_report", "medspacy"):
        print(f"{part.replace('_', ' ')}: {figures.get(part, 'not measured')}")
    results = {"shipped": figures, "local": {"sets": own}}
    for name, found in (("speed", figures), ("speed-local", results["local"])):
        if found["sets"]:
            print("stored:", store.save(name, found).relative_to(Path.cwd()))
    print(pages.marks_table(results, MARKS))
    below = fallen(results, MARKS)
    sys.stderr.writelines(f"below its floor: {line}\n" for line in below)
    return 1 if below else 0


if __name__ == "__main__":
    raise SystemExit(main())
