"""One run of a million pairs: seconds, memory beside that of 10,000 and 100,000, and whether kills lose anything.

`python -m benchmarks.big [--pairs N ...] [--folder DIR]`. Pairs are made (benchmarks/big/pairs.py) and scored by `cabs
score -o`, each run killed twice (SIGKILL) on the way. What it leaves is then gone over: every id once, in order, and
the sum of the counts of all reports that of results.json; the smallest run is made once more without a kill, for the
same bytes. What is done is kept in DIR, and a second call goes on from there. Figures are stored if all the usual sizes
are asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import store
from benchmarks.big.pairs import measured, write_pairs
from benchmarks.big.watched import MB, Watched, alone, watched
from benchmarks.tables import markdown
from cabs.io.journal import finished, journal_path
from cabs.scoring.compare import read_run

SIZES = (10_000, 100_000, 1_000_000)
KILLS = (0.35, 0.7)
"""When a run is killed: when it has finished these shares of its pairs."""
HOME = Path(__file__).parents[2] / ".big"
LIMIT, GROWTH = 2048, 1.3
"""MB that a run may hold; and how many times the peak of the smallest run, beside its counts."""

Figures = dict[str, Any]


def scored(folder: Path, output: str, kills: Sequence[int] = ()) -> list[Watched]:
    """Score the pairs of a folder: killed each time that so many are finished, and gone on with."""
    command = [sys.executable, "-m", "cabs", "score", "pairs.jsonl", "-o", output]
    journal, found = journal_path(folder / output), []
    for number in kills:
        found.append(watched(command, folder, lambda number=number: finished(journal) >= number))  # type: ignore[misc]
        if found[-1].code == 0:
            return found
    found.append(watched(command, folder))
    if found[-1].code:
        raise RuntimeError(found[-1].said)
    return found


def gone_over(folder: Path, pairs: int) -> Figures:
    """What the run left, against its input and itself; the bytes of what it keeps of each report."""
    page = json.loads((folder / "run" / "results.json").read_text(encoding="utf-8"))
    (system,), (contender,) = page["systems"], read_run(folder / "run")
    left_out = {item["id"] for item in system["unscored"]}
    expected = [id for id in (f"s{at:07d}" for at in range(pairs)) if id not in left_out]
    counts = {**contender.rows.total().as_dict(), "unscored": len(left_out)}
    return {
        "scored": len(contender.ids),
        "unscored": len(left_out),
        "every_id_once_in_order": contender.ids == expected,
        "counts_add_up": counts == system["counts"],
        "bytes_of_counts": contender.rows.nbytes,
        "bytes_of_ids": contender.ids.nbytes,
    }


def measure(home: Path, pairs: int) -> Figures:
    """The figures of one size; those that are there already are not made again."""
    folder = home / str(pairs)
    done = folder / "figures.json"
    if done.is_file():
        found: Figures = json.loads(done.read_text(encoding="utf-8"))
        return found
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "pairs.jsonl").is_file():
        write_pairs(folder / "pairs.jsonl", pairs)
    idle = alone()
    runs = scored(folder, "run", [round(share * pairs) for share in KILLS])
    figures = {
        "pairs": pairs,
        **measured(folder / "pairs.jsonl"),
        "seconds": round(sum(run.seconds for run in runs), 1),
        "seconds_of_each_start": [round(run.seconds, 1) for run in runs],
        "kills": sum(run.code != 0 for run in runs),
        "peak_mb": round(max(run.peak for run in runs)),
        "peak_mb_of_first_process": round(max(run.peak_of_first for run in runs)),
        **gone_over(folder, pairs),
        "megabytes_of_files": round(sum(path.stat().st_size for path in (folder / "run").iterdir()) / 1e6),
        "machine": {"cores": len(os.sched_getaffinity(0)), "idle_before": idle},
    }
    done.write_text(json.dumps(figures, indent=1), encoding="utf-8", newline="\n")
    return figures


def same_without_kills(home: Path, pairs: int) -> bool:
    """Whether a run of this size that nobody kills ends with the bytes of the one that was."""
    folder = home / str(pairs)
    if not (folder / "whole").is_dir():
        scored(folder, "whole")
    return _content(folder / "whole") == _content(folder / "run")


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def growth(sizes: Sequence[Figures]) -> float:
    """The peak of the largest run without what it keeps of each report, over that of the smallest."""
    kept = (sizes[-1]["bytes_of_counts"] + sizes[-1]["bytes_of_ids"]) / MB
    return round(float((sizes[-1]["peak_mb"] - kept) / sizes[0]["peak_mb"]), 2)


def summary(sizes: Sequence[Figures]) -> str:
    """The sizes as a Markdown table."""
    names = ("pairs", "characters", "distinct_sentences", "seconds", "kills", "peak_mb", "bytes_of_counts")
    rows = [[name.replace("_", " ") for name in names], ["---"] * len(names)]
    return markdown([*rows, *([str(figures[name]) for name in names] for figures in sizes)])


def main(argv: list[str] | None = None) -> int:
    """Measure, print and store; 1 where something is lost or a limit is not kept."""
    parser = argparse.ArgumentParser(prog="make big", description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=list(SIZES), help="numbers of pairs, ascending")
    parser.add_argument("--folder", type=Path, default=HOME, help="where pairs and runs are kept")
    options = parser.parse_args(argv)
    sizes = [measure(options.folder, pairs) for pairs in options.pairs]
    result: Figures = {
        "limits": {"peak_mb": LIMIT, "growth": GROWTH},
        "sizes": sizes,
        "growth_of_peak": growth(sizes),
        "same_bytes_without_kills": same_without_kills(options.folder, options.pairs[0]),
    }
    print(summary(sizes))
    print({name: result[name] for name in ("growth_of_peak", "same_bytes_without_kills")})
    if tuple(options.pairs) == SIZES:
        print("stored:", store.save("big", result))
    whole = all(figures["every_id_once_in_order"] and figures["counts_add_up"] for figures in sizes)
    kept = result["growth_of_peak"] <= GROWTH and max(figures["peak_mb"] for figures in sizes) <= LIMIT
    return 0 if whole and kept and result["same_bytes_without_kills"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
