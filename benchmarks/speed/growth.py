"""How the time of the parser grows with the length of one report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cabs
from benchmarks.corpora import TextPair
from benchmarks.speed.clock import timed
from cabs.parsing.parser import RulesParser

SIZES = (125_000, 250_000, 500_000, 1_000_000)


def with_length(pairs: Sequence[TextPair]) -> dict[str, Any]:
    """Seconds to parse a long report of several sizes, no sentence remembered. Linear: eight times the text, eight
    times the time."""
    text = "\n".join(reference for reference, _ in pairs)
    text *= 1 + SIZES[-1] // len(text)
    parser = RulesParser(cabs.load_ontology(), cached_sentences=0)
    seconds = {size: min(timed(parser.parse, text[:size]) for _ in range(3)) for size in SIZES}
    growth = seconds[SIZES[-1]] / seconds[SIZES[0]]
    return {"seconds": {str(n): round(s, 3) for n, s in seconds.items()}, "growth_over_8x": round(growth, 1)}
