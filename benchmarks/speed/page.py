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
        low, high = size["spread"]
        rows.append([
            f"{size['pairs']:,}", str(size["seconds_one_core"]), str(size["seconds_all_cores"]),
            f"{size['speed_up']:.2f} ({low:.2f} to {high:.2f})",
            str(size["peak_mb_one_core"]), str(size["peak_mb_all_cores"]),
        ])  # fmt: skip
    return markdown(rows)
