"""`make fuzz`: hostile input to every target in turn, for so many minutes of processor time.

What a target has learnt stays in .fuzz/ and the next call goes on from there. Counts add up over calls in
results/fuzz.json; ends with 1 if anything has been found that is still there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.fuzz.found import Found
from benchmarks.fuzz.targets import NAMES
from benchmarks.tables import markdown

HOME = Path(__file__).parents[2] / ".fuzz"
SLICE = 45.0
"""Seconds of processor time after which the next target takes its turn: a stopped run has been everywhere."""
NICENESS = 19
STOPPED = (0, 72, -15)
"""How a process ends that was told to: by itself, by libFuzzer, by the system."""

Told = dict[str, dict[str, Any]]


def fuzzed(name: str, home: Path, seconds: float) -> dict[str, float]:
    """Give a target so many seconds of processor time; what it has done. A process that dies is a finding too."""
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.fuzz.child", name, str(home), str(seconds)]
    done = subprocess.run(command, cwd=HOME.parent, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in STOPPED:
        _died(home, done)
    return told(home)


def told(home: Path) -> dict[str, float]:
    """What a target has done that is not counted yet; it is when this has been read."""
    path = home / "told.json"
    if not path.exists():
        return {"inputs": 0, "seconds": 0.0}
    found: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    return found


def _died(home: Path, done: subprocess.CompletedProcess[str]) -> None:
    """Keep the input on which the process ended, which libFuzzer has written down."""
    found, kind = Found(home / "found"), f"the process ended with {done.returncode}"
    left = sorted(home.glob("died-*"))
    for path in left:
        found.say(path.read_bytes(), kind, done.stderr[-4000:])
        path.unlink()
    if not left:
        found.say(b"", kind, done.stderr[-4000:])


def add(known: Told, name: str, did: dict[str, float]) -> None:
    """Add what a target has done to what it had done before."""
    before = known.setdefault(name, {"inputs": 0, "cpu_minutes": 0.0})
    before["inputs"] += int(did["inputs"])
    before["cpu_minutes"] = round(before["cpu_minutes"] + did["seconds"] / 60, 3)


def summary(known: Told, open_: dict[str, int]) -> str:
    """The counts as a Markdown table; `open_`: findings by target."""
    rows = [["target", "inputs", "CPU minutes", "open findings"], ["---"] * 4]
    rows += [
        [name, f"{did['inputs']:,}", f"{did['cpu_minutes']:.1f}", str(open_.get(name, 0))]
        for name, did in known.items()
    ]
    inputs, minutes = (sum(did[key] for did in known.values()) for key in ("inputs", "cpu_minutes"))
    return markdown([*rows, ["all", f"{inputs:,}", f"{minutes:.1f}", str(sum(open_.values()))]])


def page(record: dict[str, Any]) -> str:
    """The stored counts as a Markdown table; 0 for targets that had no turn yet."""
    rows = [["target", "inputs", "CPU minutes"], ["---"] * 3]
    rows += [[name, f"{did['inputs']:,}", f"{did['cpu_minutes']:.1f}"] for name, did in record["targets"].items()]
    return markdown([*rows, ["all", f"{record['inputs']:,}", f"{record['cpu_minutes']:.1f}"]])


def _keep(known: Told) -> None:
    totals = {"inputs": sum(did["inputs"] for did in known.values())}
    totals["cpu_minutes"] = round(sum(did["cpu_minutes"] for did in known.values()), 1)
    store.save("fuzz", {**totals, "targets": {name: known[name] for name in NAMES if name in known}})


def _fuzz(known: Told, names: Sequence[str], left: float, processes: int) -> None:
    """Give every target its turn until so many seconds of processor time are over."""
    with ThreadPoolExecutor(processes) as pool:
        while left > 0:
            turn = min(SLICE, left / len(names) + 1)
            homes = [HOME / name for name in names]
            for name, did in zip(names, pool.map(fuzzed, names, homes, [turn] * len(names)), strict=True):
                add(known, name, did)
                left -= max(did["seconds"], 1.0)
                _keep(known)


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, print and store; 1 where there are findings."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time in all (default 10)")
    parser.add_argument("--processes", type=int, default=1, help="at a time (default 1)")
    parser.add_argument("--targets", help=f"some of {','.join(NAMES)}")
    options = parser.parse_args(argv)
    names = options.targets.split(",") if options.targets else list(NAMES)
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"no target: {', '.join(unknown)}")
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    known: Told = store.stored("fuzz").get("targets", {})
    for name in names:  # what a call has done that was stopped
        add(known, name, told(HOME / name))
    _keep(known)
    _fuzz(known, names, options.minutes * 60, options.processes)
    open_ = {name: len(Found(HOME / name / "found")) for name in names}
    print(summary(known, open_))
    for name in names:
        for path in sorted((HOME / name / "found").glob("*.txt")):
            print(f"{path}: {path.read_text(encoding='utf-8').splitlines()[0]}")
    return 1 if any(open_.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
