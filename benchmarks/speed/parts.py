"""Where the time of a pair goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cabs
from benchmarks.corpora import TextPair
from benchmarks.speed.clock import timed
from benchmarks.speed.scorers import fresh
from cabs.matching import Matcher
from cabs.metrics import count, score


def milliseconds(pairs: Sequence[TextPair]) -> dict[str, float]:
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
