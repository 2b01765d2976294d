"""How fast CABS is beside ROUGE-L: the same pairs, one process, one core, cold caches, runs taken in turn.

`python -m benchmarks.speed [--xray FILE]`. rouge-score is 0.1.2 with its defaults (no stemmer). Every run of
CABS starts with a new parser, so that no report is known from the run before; making it is not timed here.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rouge_score.rouge_scorer import RougeScorer

import cabs
from benchmarks import store
from benchmarks.corpora import TextPair, ct_pairs, local_pairs, xray_pairs
from benchmarks.tables import markdown
from cabs.matching import Matcher
from cabs.metrics import count, score
from cabs.parsing.parser import RulesParser, parser_of

REPEATS = 7
MARK = 0.5
"""The least ratio to ROUGE-L on CT."""

Figures = dict[str, Any]


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Seconds that a call takes, garbage of earlier work collected before."""
    gc.collect()
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def fresh() -> None:
    """Forget the parser with all that it has read, and make a new one."""
    parser_of.cache_clear()
    parser_of(cabs.load_ontology())


def compare(pairs: list[TextPair], repeats: int = REPEATS) -> Figures:
    """Pairs per second of both, and the ratio of every run to the run of the other one beside it."""
    ours, theirs = [], []
    rouge = RougeScorer(["rougeL"])
    for _ in range(repeats):
        fresh()
        ours.append(len(pairs) / timed(lambda: cabs.score(pairs, workers=1)))
        theirs.append(len(pairs) / timed(lambda: [rouge.score(a, b) for a, b in pairs]))
    ratios = sorted(a / b for a, b in zip(ours, theirs, strict=True))
    return {
        "pairs": len(pairs),
        "characters": round(sum(len(a) + len(b) for a, b in pairs) / 2 / len(pairs)),
        "cabs": round(statistics.median(ours)),
        "rouge_l": round(statistics.median(theirs)),
        "ratio": round(statistics.median(ratios), 2),
        "ratio_spread": [round(ratios[0], 2), round(ratios[-1], 2)],
        "repeats": repeats,
    }


def breakdown(pairs: list[TextPair]) -> Figures:
    """Milliseconds per pair of each part of the corridor, reports cold."""
    fresh()
    texts = [text for pair in pairs for text in pair]
    parsed: list[Any] = []
    aligned: list[Any] = []
    counted: list[Any] = []
    parse = timed(lambda: parsed.extend(cabs.parse(text) for text in texts))
    sides = list(zip(parsed[::2], parsed[1::2], strict=True))
    matcher = Matcher(cabs.load_ontology())
    align = timed(lambda: aligned.extend(matcher.align(a, b) for a, b in sides))
    counting = timed(lambda: counted.extend(count(a, matcher) for a in aligned))
    scoring = timed(lambda: [score(c) for c in counted])
    parts = {"parse": parse, "align": align, "count": counting, "score": scoring}
    return {name: round(1000 * seconds / len(pairs), 3) for name, seconds in parts.items()}


def start_up(repeats: int = REPEATS) -> Figures:
    """Seconds of whole processes, the interpreter's own start included."""
    commands = {
        "python": [sys.executable, "-c", "pass"],
        "import cabs": [sys.executable, "-c", "import cabs"],
        "import cabs, parse a sentence": [sys.executable, "-c", "import cabs; cabs.parse('No effusion.')"],
        "cabs --help": [str(Path(sys.executable).parent / "cabs"), "--help"],
    }
    out: Figures = {}
    for name, command in commands.items():
        seconds = [timed(_process, command) for _ in range(repeats)]
        out[name] = round(statistics.median(seconds), 3)
    return out


def _process(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def scaling(pairs: list[TextPair]) -> Figures:
    """Seconds to parse a long report of several sizes, no sentence remembered. Linear: eight times the text,
    eight times the time."""
    text = "\n".join(reference for reference, _ in pairs)
    sizes = (125_000, 250_000, 500_000, 1_000_000)
    text *= 1 + sizes[-1] // len(text)
    parser = RulesParser(cabs.load_ontology(), cached_sentences=0)
    seconds = {size: min(timed(parser.parse, text[:size]) for _ in range(3)) for size in sizes}
    growth = seconds[sizes[-1]] / seconds[sizes[0]]
    return {"seconds": {str(n): round(s, 3) for n, s in seconds.items()}, "growth_over_8x": round(growth, 1)}


def one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


SETS = {"ct": "CT", "xray": "chest radiographs", "xray_local": "chest radiographs (IU X-ray, not shipped)"}


def summary(sets: Figures) -> str:
    """The comparison as a Markdown table."""
    rows = [["reports", "pairs", "characters", "CABS pairs/s", "ROUGE-L pairs/s", "ratio (lowest to highest run)"]]
    rows.append(["---"] * len(rows[0]))
    for key, figures in sets.items():
        low, high = figures["ratio_spread"]
        cells = [figures[name] for name in ("pairs", "characters", "cabs", "rouge_l")]
        rows.append([SETS[key], *map(str, cells), f"{figures['ratio']:.2f} ({low:.2f} to {high:.2f})"])
    return markdown(rows)


def main(argv: list[str] | None = None) -> int:
    """Measure, print and store; 1 where CT is below the mark."""
    parser = argparse.ArgumentParser(prog="make speed", description=__doc__)
    parser.add_argument("--xray", type=Path, help="pairs or reports of chest radiographs that can't be shipped")
    options = parser.parse_args(argv)
    one_core()
    shipped = {"ct": ct_pairs(), "xray": xray_pairs()}
    local = {"xray_local": local_pairs(options.xray)} if options.xray else {}
    result: Figures = {
        "mark": MARK,
        "sets": {name: compare(pairs) for name, pairs in shipped.items()},
        "milliseconds_per_ct_pair": breakdown(shipped["ct"]),
        "seconds": start_up(),
        "long_report": scaling(shipped["ct"]),
    }
    beside = {name: compare(pairs) for name, pairs in local.items()}
    print(summary({**result["sets"], **beside}))
    for part in ("milliseconds_per_ct_pair", "seconds", "long_report"):
        print(f"{part.replace('_', ' ')}: {result[part]}")
    for name, figures in (("speed", result), ("speed-local", {"sets": beside})):
        if figures["sets"]:
            print("stored:", store.save(name, figures).relative_to(Path.cwd()))
    return 0 if result["sets"]["ct"]["ratio"] >= MARK else 1


if __name__ == "__main__":
    raise SystemExit(main())
