"""How long a reward takes for one training step: 64 prompts with 8 completions each, one process, one core.

`python -m benchmarks.reward_speed [--check]`. `benchmarks.rollouts` has what is scored. Seconds are those of the
processor, so that what else a machine does plays no part; on an idle one they are those of the clock.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.rollouts import described, rollouts
from benchmarks.speed.clock import one_core
from benchmarks.speed.scorers import fresh
from benchmarks.tables import markdown
from cabs.matching import Settings
from cabs.rewards import Example, Reward, reward, rules

REPEATS = 3
NAME = "tif"
MARKS = {"process": 3.0, "next": 1.0}
"""Seconds that a step may take: in a new process, and in one that has scored another step."""

TITLES = {
    "process": "a new process: interpreter, import, ontology, parser, the step",
    "empty": "a process that has scored nothing: the step alone",
    "next": "the step after another one of other prompts",
    "again": "the same step once more",
}

Figures = dict[str, Any]

_PROCESS = """
import json, sys
from cabs.rewards import Example, score_batch
with open(sys.argv[1], encoding="utf-8") as file:
    examples = [Example(*texts) for texts in json.load(file)]
score_batch(examples, sys.argv[2])
"""


def process(examples: Sequence[Example], name: str = NAME) -> float:
    """Seconds of a whole new process that scores the examples."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "step.json"
        path.write_text(json.dumps([(e.completion, e.reference) for e in examples]), encoding="utf-8", newline="\n")
        before = os.times()
        subprocess.run([sys.executable, "-c", _PROCESS, str(path), name], check=True)
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Seconds that a call takes in this process, garbage of earlier work collected before."""
    gc.collect()
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def forget() -> None:
    """Make a parser and a judge anew, with nothing read."""
    rules._made.cache_clear()
    fresh()
    rules.rules_judge(None, Settings(scope="section"), None)


def steps(first: Sequence[Example], second: Sequence[Example], used: Reward) -> dict[str, float]:
    """Seconds of a step with nothing known, of another one after it, and of that once more."""
    forget()
    found = {"empty": first, "next": second, "again": second}
    return {name: timed(used.score_batch, examples) for name, examples in found.items()}


def measure(repeats: int = REPEATS) -> Figures:
    """The median seconds of everything, and their spread."""
    first, second = rollouts(), rollouts(skip=64)
    used = reward(NAME)
    runs = [{"process": process(first), **steps(first, second, used)} for _ in range(repeats)]
    seconds = {name: sorted(run[name] for run in runs) for name in TITLES}
    return {
        "reward": used.signature,
        "marks": MARKS,
        "step": described(first),
        "next": described(second),
        "seconds": {name: round(statistics.median(found), 2) for name, found in seconds.items()},
        "spread": {name: [round(found[0], 2), round(found[-1], 2)] for name, found in seconds.items()},
        "repeats": repeats,
    }


def summary(figures: Figures) -> str:
    """The seconds as a Markdown table."""
    rows = [["one step of 64 × 8 completions", "seconds (fastest to slowest run)", "wanted"], ["---"] * 3]
    for name, title in TITLES.items():
        low, high = figures["spread"][name]
        mark = figures["marks"].get(name)
        wanted = "" if mark is None else f"at most {mark:g}"
        rows.append([title, f"{figures['seconds'][name]:.2f} ({low:.2f} to {high:.2f})", wanted])
    return markdown(rows)


def main(argv: list[str] | None = None) -> int:
    """Measure, print and store; 1 where a mark is not reached."""
    parser = argparse.ArgumentParser(prog="make reward-speed", description=__doc__)
    parser.add_argument("--check", action="store_true", help="print alone, store nothing")
    options = parser.parse_args(argv)
    with one_core():
        found = measure()
    print(summary(found))
    print(f"completions: {found['step']}")
    if not options.check:
        print("stored:", store.save("reward-speed", found).relative_to(Path.cwd()))
    return 0 if all(found["seconds"][name] <= mark for name, mark in MARKS.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
