"""How fast CABS is beside other scorers: the same pairs, one process, one core, runs taken in turn.

`python -m benchmarks.speed [--xray FILE] [--medspacy PYTHON] [--repeats N]`. Every cold run of CABS starts with a new
parser, so that no report is known from the run before; making it is not timed here. Ends with 1 where a ratio lies
below its floor (FLOORS).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.speed import page, sets
from benchmarks.speed.clock import cores, one_core
from benchmarks.speed.command import on_cores, start_up
from benchmarks.speed.compare import compare
from benchmarks.speed.growth import with_length
from benchmarks.speed.parts import milliseconds
from benchmarks.speed.pipeline import beside

REPEATS = 5
PAIRS = (2_000, 20_000)
"""Pairs of the runs of `cabs score`."""
FLOORS = {"ct": 0.7, "ct_once": 0.4, "xray": 0.15, "cores": 1.2}
"""Ratios beneath today's: to ROUGE-L, and of all cores to one; a change that costs much is seen."""
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


def below(figures: Figures) -> Iterator[str]:
    """What lies below its floor."""
    found = {name: each["to_rouge_l"]["cabs"]["ratio"] for name, each in figures["sets"].items()}
    if cores() > 1:
        found["cores"] = figures["command"]["sizes"][-1]["speed_up"]
    yield from (f"{n}: {found[n]:.2f}, floor {floor}" for n, floor in FLOORS.items() if n in found and found[n] < floor)


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
    for name, found in (("speed", figures), ("speed-local", {"sets": own})):
        if found["sets"]:
            print("stored:", store.save(name, found).relative_to(Path.cwd()))
    low = list(below(figures))
    print(*low, sep="\n")
    return 1 if low else 0


if __name__ == "__main__":
    raise SystemExit(main())
