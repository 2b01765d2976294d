"""The figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.speed.sets import TITLES
from benchmarks.tables import markdown

COLUMNS = {"cabs": "CABS", "cabs_warm": "CABS, warm", "rouge_l_rs": "ROUGE-L in Rust", "bleu": "BLEU"}
Figures = Mapping[str, Any]


def sets(figures: Figures) -> str:
    """Pairs per second of every scorer on every set; in brackets, how many times as fast as ROUGE-L."""
    rows = [["reports", "pairs", "characters", "ROUGE-L", *COLUMNS.values()]]
    rows.append(["---"] * len(rows[0]))
    for key, found in figures.items():
        cells = [TITLES[key], f"{found['pairs']:,}", str(found["characters"])]
        speeds, ratios = found["pairs_per_second"], found["to_rouge_l"]
        rows.append([*cells, f"{speeds['rouge_l']:,}", *(f"{speeds[n]:,} ({_ratio(ratios[n])})" for n in COLUMNS)])
    return markdown(rows)


def _ratio(found: Figures) -> str:
    low, high = found["spread"]
    return f"{found['ratio']:.2f}; {low:.2f} to {high:.2f}"


def on_cores(found: Figures) -> str:
    """`cabs score` on one core and on all."""
    head = ["pairs", "one core, s", f"{found['cores']} cores, s", "times as fast", "peak MB, one core", "peak MB, all"]
    rows = [head, ["---"] * len(head)]
    for size in found["sizes"]:
        seconds = [str(size[f"seconds_{which}"]) for which in ("one_core", "all_cores")]
        peaks = [str(size[f"peak_mb_{which}"]) for which in ("one_core", "all_cores")]
        rows.append([f"{size['pairs']:,}", *seconds, _ratio(size["speed_up"]), *peaks])
    return markdown(rows)
