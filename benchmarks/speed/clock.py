"""Seconds of calls and of processes, on one core where that is asked for."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Seconds that a call takes, garbage of earlier work collected before."""
    gc.collect()
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def process(command: Sequence[str], repeats: int) -> float:
    """Seconds of a whole process, its interpreter's start included: the median of some runs."""
    return statistics.median(timed(_run, command) for _ in range(repeats))


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and those that it starts on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def told(ratios: Sequence[float]) -> dict[str, Any]:
    """The median of the ratios of some turns, and the lowest and highest of them."""
    return {"ratio": round(statistics.median(ratios), 2), "spread": [round(min(ratios), 2), round(max(ratios), 2)]}
