"""How near the backend comes to the best that its concurrency allows, and whether its memory stays what it is.

The ideal time is latency × calls / concurrency. The server is a process of its own; its answers are made before the
clock starts. Each timed run begins with reports handed over and ends with the last result, in a process that has asked
once and has read these reports before, so that what the rules take for them is not counted.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.llm.process import ROOT, outside
from benchmarks.llm.reports import reports
from cabs.io.reports import ReportText
from cabs.llm.matcher import LlmMatcher
from cabs.llm.parser import LlmParser
from cabs.llm.server import Server
from cabs.matching import Settings
from cabs.metrics.intervals import Resampling
from cabs.ontology import load_ontology
from cabs.scoring.facts import fact_lines, texts_ahead
from cabs.scoring.judge import Plan
from cabs.scoring.run import Options, run
from cabs.values import Pair

CONCURRENCY, REPORTS, LATENCY = 32, 200, 1.0
MARK = 1.3
"""The ideal time at most so many times."""
LONG = 2000
"""Reports of the run whose memory is watched."""
MORE = 16.0
"""MiB that it may grow between its first quarter and its end."""

Figures = dict[str, Any]
Work = Callable[[list[str]], int]
"""What is done with so many texts; the number of those that came through."""


def _parser(server: Server) -> Work:
    """Parses texts; the number of lines."""
    parser = LlmParser(load_ontology(), server)
    line = fact_lines(parser.ontology, parser)

    def work(texts: list[str]) -> int:
        asked = texts_ahead((ReportText(str(i), text, "") for i, text in enumerate(texts)), parser)
        return sum(not line(report).failed for report in asked)

    return work


def _matcher(server: Server) -> Work:
    """Judges each text against the one before; the number of scored pairs."""
    ontology, settings = load_ontology(), Settings()
    matcher = LlmMatcher(ontology, settings, server)

    def work(texts: list[str]) -> int:
        pairs = (Pair(str(i), texts[i - 1], text) for i, text in enumerate(texts))
        return run(pairs, Plan(ontology, settings, aligner=matcher), Options(Resampling(n=0))).counts.reports

    return work


WORK: dict[str, Callable[[Server], Work]] = {"parser": _parser, "matcher": _matcher}


def _timed(name: str, base_url: str, folder: Path, latency: float) -> Figures:
    """Seconds of one kind of work, cache and all, against the ideal."""
    texts = reports(REPORTS + 1)
    work = WORK[name](Server(base_url, "scripted", concurrency=CONCURRENCY, cache=folder / f"{name}.sqlite"))
    work(texts[:1])
    gc.collect()
    start = time.perf_counter()
    done = work(texts[1:])
    seconds = time.perf_counter() - start
    ideal = latency * REPORTS / CONCURRENCY
    return {"calls": done, "seconds": round(seconds, 2), "ideal": round(ideal, 2), "ratio": round(seconds / ideal, 3)}


def _warmed(base_url: str, folder: Path) -> None:
    """Let the server make its answers."""
    for name, make in WORK.items():
        warm = Server(base_url, "warm", concurrency=CONCURRENCY, cache=folder / f"warm {name}.sqlite")
        make(warm)(reports(REPORTS + 1)[1:])


def speed(latency: float = LATENCY) -> Figures:
    """Both kinds of work at the full concurrency."""
    with tempfile.TemporaryDirectory() as name, outside(Path(name), latency) as server:
        folder = Path(name)
        _warmed(server.base_url, folder)
        found = {work: _timed(work, server.base_url, folder, latency) for work in WORK}
    return {"latency": latency, "concurrency": CONCURRENCY, **found}


_WATCHED = """
import gc, sys
from pathlib import Path
from benchmarks.llm.speed import watched
print(*watched(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
"""


def memory(reports: int = LONG) -> Figures:
    """MiB that a process holds after a quarter of a long run, and at its end; and how many pairs waited at most."""
    with tempfile.TemporaryDirectory() as name, outside(Path(name), 0.02) as server:
        command = [sys.executable, "-c", _WATCHED, server.base_url, name, str(reports)]
        out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    quarter, end = map(float, out.split())
    return {"reports": reports, "quarter": quarter, "end": end, "grown": round(end - quarter, 1)}


def watched(base_url: str, folder: Path, n: int) -> tuple[float, float]:
    """The resident MiB of this process at a quarter and at the end of a run over so many pairs. The texts come again,
    under another number, so that what the rules remember of their sentences is there after the first of them."""
    ontology, settings = load_ontology(), Settings()
    server = Server(base_url, "scripted", concurrency=CONCURRENCY, cache=folder / "memory.sqlite")
    marks: list[float] = []

    def note(done: int) -> None:
        if done in (n // 4, n):
            gc.collect()
            marks.append(_resident())

    def pairs() -> Iterator[Pair]:
        texts = reports(n)
        yield from (Pair(str(i), texts[i - 1], text) for i, text in enumerate(texts))

    plan = Plan(ontology, settings, aligner=LlmMatcher(ontology, settings, server))
    run(pairs(), plan, Options(Resampling(n=0), progress=note))
    return marks[0], marks[1]


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return round(pages * 4096 / 2**20, 1)


if __name__ == "__main__":
    print(json.dumps({**speed(), "memory": memory()}, indent=1))
