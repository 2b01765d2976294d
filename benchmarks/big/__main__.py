"""One run of a million pairs: seconds, memory beside that of 10,000 and 100,000, and whether kills lose anything.

`python -m benchmarks.big [--pairs N ...] [--folder DIR]`. Pairs are made (benchmarks/big/pairs.py) and scored by
`cabs score -o`; a run is killed twice (SIGKILL) and goes on. What each run left is then counted over: every id once, in
order, and the sum of the counts of all reports that of results.json. The smallest run is made once more without kills,
for the same bytes. What is done is kept in DIR, and a second call goes on from there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from benchmarks.big.pairs import measured, write_pairs
from benchmarks.big.watched import Watched, alone, watched
from cabs.io.journal import journal_path
from cabs.scoring.compare import read_run

SIZES = (10_000, 100_000, 1_000_000)
KILLS = (0.35, 0.7)
"""When a run is killed: at these shares of what its journal is expected to hold."""
HOME = Path(__file__).parents[2] / ".big"
LIMIT, GROWTH = 2048, 1.3
"""MB that a run may hold; and how much more the largest may hold than the smallest, beside its counts."""

Figures = dict[str, Any]


def killed_at(journal: Path, size: int) -> bool:
    """Whether a journal has come to this size."""
    return journal.is_file() and journal.stat().st_size >= size


def scored(folder: Path, pairs: int, bytes_a_pair: float) -> list[Watched]:
    """Score the pairs of a folder, killed on the way where it is known how large its journal will be."""
    command = [sys.executable, "-m", "cabs", "score", "pairs.jsonl", "-o", "run"]
    found, journal = [], journal_path(folder / "run")
    for share in (*KILLS, None) if bytes_a_pair else (None,):
        size = round((share or 0) * pairs * bytes_a_pair)
        found.append(watched(command, folder, lambda size=size: bool(size) and killed_at(journal, size)))  # type: ignore[misc]
        if found[-1].code == 0:
            break
        if share is None or found[-1].code != -9:
            raise RuntimeError(found[-1].said)
    return found


def counted_over(folder: Path, pairs: int) -> Figures:
    """What the run left, against its input and itself; bytes of what it keeps of each report."""
    page = json.loads((folder / "run" / "results.json").read_text(encoding="utf-8"))
    (system,), (contender,) = page["systems"], read_run(folder / "run")
    unscored = {item["id"] for item in system["unscored"]}
    expected = (id for id in (f"s{at:07d}" for at in range(pairs)) if id not in unscored)
    total = contender.rows.total().as_dict()
    return {
        "scored": len(contender.ids),
        "unscored": len(unscored),
        "every_id_once_in_order": all(a == b for a, b in zip(contender.ids, expected, strict=True)),
        "counts_add_up": {**total, "unscored": len(unscored)} == system["counts"],
        "bytes_of_counts": contender.rows.nbytes,
        "bytes_of_ids": contender.ids.nbytes,
        "fc_f1": system["scores"]["fc_f1"],
    }


def measure(home: Path, pairs: int, bytes_a_pair: float) -> Figures:
    """The figures of one size; those that are there already are not made again."""
    folder = home / str(pairs)
    done = folder / "figures.json"
    if done.is_file():
        return json.loads(done.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "pairs.jsonl").is_file():
        write_pairs(folder / "pairs.jsonl", pairs)
    idle = alone()
    runs = scored(folder, pairs, bytes_a_pair)
    figures = {
        "pairs": pairs,
        **measured(folder / "pairs.jsonl"),
        "seconds": round(sum(run.seconds for run in runs), 1),
        "seconds_of_each_start": [round(run.seconds, 1) for run in runs],
        "kills": len(runs) - 1,
        "peak_mb": round(max(run.peak for run in runs)),
        "peak_mb_of_first_process": round(max(run.peak_of_first for run in runs)),
        "machine_idle_before": idle,
        "cores": len(os.sched_getaffinity(0)),
        **counted_over(folder, pairs),
        "megabytes_of_files": round(sum(p.stat().st_size for p in (folder / "run").iterdir()) / 1e6),
    }
    done.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return figures


def journal_bytes(home: Path, pairs: int) -> float:
    """Bytes of the journal for each pair, of a run that is killed when it has judged most of them; and whether it goes on
    to the bytes of a run that is not."""
    folder = home / "kills"
    done = folder / "bytes.json"
    if done.is_file():
        return float(json.loads(done.read_text(encoding="utf-8")))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_pairs(folder / "pairs.jsonl", pairs)
    return 0.0


def growth(sizes: list[Figures]) -> float:
    """The peak of the largest run without what it keeps of each report, over that of the smallest."""
    kept = (sizes[-1]["bytes_of_counts"] + sizes[-1]["bytes_of_ids"]) / (1 << 20)
    return round((sizes[-1]["peak_mb"] - kept) / sizes[0]["peak_mb"], 3)
