"""A parser that overlooks facts of what policies write, always the same ones of the same text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cabs
from cabs.studies.seeded import seeded
from cabs.values import ParsedReport

Read = Callable[[str], ParsedReport]


@lru_cache(maxsize=1 << 16)
def remembered(text: str) -> ParsedReport:
    """The facts of a text by the rules, each text read once: all rewards see the same policies."""
    return cabs.parse(text)


@dataclass(frozen=True)
class Overlooking:
    """Reads by the rules and misses each fact, present or denied, with the probability `rate`; texts that don't begin
    with `opening` (references) are read as they are. Equal to another one with the same fields."""

    opening: str
    rate: float = 0.1
    seed: int = 0

    def __call__(self, text: str) -> ParsedReport:
        """The facts that are not overlooked; where nothing is left, nothing was read."""
        report = remembered(text)
        if not text.startswith(self.opening):
            return report
        luck = seeded(self.seed, text)
        seen = tuple(fact for fact in report.facts if luck.random() >= self.rate)
        return replace(report, facts=seen, read=report.read and bool(seen or report.normal))
