"""Every scorer on one set of pairs, in turn: pairs per second, and ratios to ROUGE-L of the same turn."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.corpora import TextPair
from benchmarks.speed.clock import timed, told
from benchmarks.speed.scorers import SCORERS

BASE = "rouge_l"
"""What the others are compared with."""


def compare(pairs: Sequence[TextPair], repeats: int) -> dict[str, Any]:
    """The figures of one set. Ratios are taken within a turn, since a machine is not as fast in every minute."""
    turns = [{name: timed(make(pairs), pairs) for name, make in SCORERS.items()} for _ in range(repeats)]
    found = {name: [turn[BASE] / turn[name] for turn in turns] for name in SCORERS if name != BASE}
    return {
        "pairs": len(pairs),
        "characters": round(sum(len(a) + len(b) for a, b in pairs) / 2 / len(pairs)),
        "repeats": repeats,
        "pairs_per_second": {
            name: round(len(pairs) / statistics.median(turn[name] for turn in turns)) for name in SCORERS
        },
        "to_rouge_l": {name: told(ratios) for name, ratios in found.items()},
    }
