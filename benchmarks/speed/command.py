"""`cabs score` as a process on a file of pairs: one core and all of them, seconds and memory."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.big.pairs import write_pairs
from benchmarks.big.watched import Watched, watched
from benchmarks.speed.clock import one_core, process, told
from cabs.cli.options import processes


def run(folder: Path, file: str, workers: int) -> Watched:
    """Score a file of a folder by so many processes; by one, on one core."""
    command = [sys.executable, "-m", "cabs", "score", file, "-o", "out", "--workers", str(workers)]
    with one_core() if workers == 1 else nullcontext():
        found = watched(command, folder)
    shutil.rmtree(folder / "out", ignore_errors=True)
    if found.code:
        raise RuntimeError(found.said)
    return found


def on_cores(numbers: Sequence[int], repeats: int) -> dict[str, Any]:
    """Made X-ray pairs on one core and on all, for every number of them; how many times faster all are for the last."""
    cores = processes(None, None)
    with tempfile.TemporaryDirectory() as folder:
        sizes = [_size(Path(folder), number, cores, repeats) for number in numbers]
    return {"cores": cores, "sizes": sizes, "speed_up": sizes[-1]["speed_up"] if cores > 1 else None}


def _size(folder: Path, number: int, cores: int, repeats: int) -> dict[str, Any]:
    """Seconds, starts included: the median of the turns; peak memory of all processes together (PSS)."""
    file = f"{number}.jsonl"
    write_pairs(folder / file, number)
    turns = [(run(folder, file, 1), run(folder, file, cores)) for _ in range(repeats)]
    one, many = zip(*turns, strict=True)
    return {
        "pairs": number,
        "seconds_one_core": round(statistics.median(run.seconds for run in one), 1),
        "seconds_all_cores": round(statistics.median(run.seconds for run in many), 1),
        "peak_mb_one_core": round(max(run.peak for run in one)),
        "peak_mb_all_cores": round(max(run.peak for run in many)),
        "speed_up": told([a.seconds / b.seconds for a, b in turns]),
    }


def start_up(repeats: int) -> dict[str, float]:
    """Seconds of whole processes, the interpreter's own start included."""
    script = str(Path(sys.executable).parent / "cabs")
    commands = {
        "python": [sys.executable, "-c", "pass"],
        "import cabs": [sys.executable, "-c", "import cabs"],
        "import cabs, parse a sentence": [sys.executable, "-c", "import cabs; cabs.parse('No effusion.')"],
        "cabs --help": [script, "--help"],
    }
    return {name: round(process(command, repeats), 3) for name, command in commands.items()}
