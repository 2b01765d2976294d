"""`make divergence`: train small models with different rewards, judge them by what is there, store it and draw it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.divergence import plan as plans
from benchmarks.divergence import world as worlds
from benchmarks.divergence.figures import summary, values
from benchmarks.divergence.judge import Curve, curve, ended
from benchmarks.divergence.page import page
from benchmarks.divergence.plan import Plan
from benchmarks.divergence.plot import draw
from benchmarks.divergence.reading import Reading
from benchmarks.divergence.runs import Job, RunFailedError, train
from benchmarks.divergence.words import summary as worded

RUNS = Path(__file__).parents[2] / ".divergence"
"""Where runs are kept until they are removed; a run that is finished is not made again."""


def curves(jobs: Sequence[Job], read: Reading) -> Mapping[str, Mapping[int, Curve]]:
    """label → seed → curve."""
    found: dict[str, dict[int, Curve]] = {}
    for job in jobs:
        found.setdefault(job.label, {})[job.seed] = curve(job, read)
    return found


def figures(plan: Plan, jobs: Sequence[Job], read: Reading) -> dict[str, Any]:
    """What is stored."""
    by_label = {label: [job for job in jobs if job.label == label] for label in plan.rewards}
    return {
        "rewards": plan.rewards,
        "seeds": list(plan.seeds),
        "rows": plan.rows,
        "cold start": values([ended(job, job.cold, read) for job in by_label[plan.first]]),
        "likeliest": {label: values([ended(job, job.model, read) for job in of]) for label, of in by_label.items()},
        "curves": summary(curves(jobs, read)),
    }


def main(argv: list[str] | None = None) -> int:
    """Train what is not trained yet, judge, print, store, draw."""
    parser = argparse.ArgumentParser(prog="make divergence", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small version that stores nothing")
    parser.add_argument("--all", action="store_true", help="the further rewards as well")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where runs are kept")
    asked = parser.parse_args(argv)
    plan, world = plans.load(quick=asked.quick, everything=asked.all), worlds.load()
    begun = time.monotonic()
    try:
        jobs = train(plan, world, asked.runs / ("quick" if asked.quick else "full"), _tell)
    except RunFailedError as error:
        _tell(str(error))
        return 1
    read = Reading(world)
    found = figures(plan, jobs, read)
    print(page(found))
    _tell(worded(world, read))
    _tell(f"{time.monotonic() - begun:.0f} s")
    if not asked.quick:
        _tell(f"stored: {store.save('divergence', found).relative_to(Path.cwd())}")
        store.RESULTS.joinpath("divergence.png").write_bytes(draw(found).png)
    return 0


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
