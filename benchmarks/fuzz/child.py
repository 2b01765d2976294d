"""One target in a process of its own: `python -m benchmarks.fuzz.child TARGET HOME SECONDS`, of processor time.

Needs atheris, a binding of LLVM's libFuzzer that is led by the lines which an input reaches.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import atheris

with atheris.instrument_imports(include=["cabs"]):
    from benchmarks.fuzz.found import Found
    from benchmarks.fuzz.growth import beyond_linear
    from benchmarks.fuzz.target import Run, Target
    from benchmarks.fuzz.targets import target

LONGEST = 30
"""Seconds of processor time that an input may take before it counts as a hang."""
PUMPED = 40
"""Every so many inputs one is repeated, to see how time grows."""
TOLD = 200
"""Inputs after which the count is written down, should the process die."""
MEGABYTES = 4096


class HangError(BaseException):
    """An input takes too long."""


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise HangError


class Child:
    """Gives a target what the fuzzer makes, counts, and keeps what goes wrong."""

    def __init__(self, chosen: Target, home: Path, seconds: float) -> None:
        self.target, self.home, self.seconds = chosen, home, seconds
        self.found = Found(home / "found")
        scratch = home / "scratch"
        scratch.mkdir(exist_ok=True)
        self.run: Run = chosen.make(scratch)
        self.found.again(self.run)
        self.inputs = 0
        self.begun = time.process_time()

    def one(self, data: bytes) -> None:
        """What the fuzzer calls."""
        self.inputs += 1
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            self.run(data)
            if self.target.pumped and data and self.inputs % PUMPED == 0:
                self.grow(data)
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is a finding
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.found.add(data, error)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if self.inputs % TOLD == 0:
            self.tell()
        if time.process_time() - self.begun > self.seconds:
            self.tell()
            os._exit(0)

    def grow(self, data: bytes) -> None:
        """See how time grows with this input repeated."""
        said = beyond_linear(self.run, data, self.target.pumped)
        if said:
            self.found.say(data, f"growth of {self.target.name}", said)

    def tell(self) -> None:
        """Write down what has been done so far."""
        told: dict[str, Any] = {
            "inputs": self.inputs,
            "seconds": time.process_time() - self.begun,
            "found": len(self.found),
        }
        beside = self.home / "told.tmp"
        beside.write_text(json.dumps(told), encoding="utf-8", newline="\n")
        beside.replace(self.home / "told.json")


def _dictionary(home: Path, words: Sequence[str]) -> Path:
    path = home / "words.dict"
    entries = ("".join(f"\\x{byte:02x}" for byte in word.encode("utf-8", "surrogatepass")) for word in words if word)
    path.write_text("".join(f'"{entry}"\n' for entry in entries), encoding="ascii", newline="\n")
    return path


def main(name: str, home: Path, seconds: float) -> None:
    """Fuzz until the time is over."""
    chosen = target(name)
    corpus = home / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(chosen.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    signal.signal(signal.SIGPROF, _hang)
    options: dict[str, object] = {
        "max_len": chosen.longest, "rss_limit_mb": MEGABYTES,
        "timeout": 1200, "artifact_prefix": f"{home}/died-", "print_final_stats": 0, "verbosity": 0,
    }  # fmt: skip
    if words := chosen.words():
        options["dict"] = _dictionary(home, words)
    child = Child(chosen, home, seconds)
    atheris.Setup([sys.argv[0], *(f"-{key}={value}" for key, value in options.items()), str(corpus)], child.one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
