"""A command and all processes that it starts, watched: seconds, memory, a kill in the middle if one is asked for.

Linux only: memory is read from /proc.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.5
"""Seconds between two looks."""
MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Watched:
    """`seconds` of a run, the `peak` of what all its processes held together and of the first one alone (MB), its exit
    code and what it said on the standard error."""

    seconds: float
    peak: float
    peak_of_first: float
    code: int
    said: str


def watched(command: Sequence[str], folder: Path, killed: Callable[[], bool] = lambda: False) -> Watched:
    """Run a command in a folder; the first process is killed (SIGKILL) as soon as `killed` says so."""
    start, peak, first = time.perf_counter(), 0.0, 0.0
    with (folder / "said.txt").open("w+", encoding="utf-8", newline="\n") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        while not _ended(process):
            held = [_held(pid) for pid in _tree(process.pid)]
            peak, first = max(peak, sum(held)), max([first, *held[:1]])
            if killed():
                process.send_signal(signal.SIGKILL)
                process.wait()
        seconds = time.perf_counter() - start
        said.seek(0)
        return Watched(seconds, peak, first, process.returncode, said.read())


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait until the next look; whether the process has ended, which is seen at once and not at the look."""
    try:
        process.wait(PAUSE)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended meanwhile
        return
    for child in children:
        yield from _tree(int(child))


def _held(pid: int) -> float:
    """The memory that a process holds and shares with no other (MB), and its share of the rest."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    found = next((line for line in lines if line.startswith("Pss:")), "Pss: 0 kB")
    return int(found.split()[1]) * 1024 / MB


def alone() -> bool:
    """Whether the machine does next to nothing else, so that its seconds mean something."""
    return os.getloadavg()[0] < 0.5
