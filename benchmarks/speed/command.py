"""`cabs score` as a process on a file of pairs: one core and all of them, seconds and memory."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.big.pairs import write_pairs
from benchmarks.big.watched import Watched, watched
from benchmarks.speed.clock import cores, one_core, process, spread


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
    """Made X-ray pairs on one core and on all: seconds, starts included, how many times faster all are, and peak memory
    of all processes together (PSS)."""
    with tempfile.TemporaryDirectory() as name:
        folder, all_ = Path(name), cores()
        for number in numbers:
            write_pairs(folder / f"{number}.jsonl", number)
        sizes = []
        for number in numbers:
            turns = [[run(folder, f"{number}.jsonl", n) for n in (1, all_)] for _ in range(repeats)]
            ratio, between = spread([one.seconds / many.seconds for one, many in turns])
            sizes.append({
                "pairs": number,
                "seconds_one_core": round(min(one.seconds for one, _ in turns), 1),
                "seconds_all_cores": round(min(many.seconds for _, many in turns), 1),
                "peak_mb_one_core": round(max(one.peak for one, _ in turns)),
                "peak_mb_all_cores": round(max(many.peak for _, many in turns)),
                "speed_up": ratio,
                "spread": between,
            })  # fmt: skip
    return {"cores": all_, "sizes": sizes}


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
