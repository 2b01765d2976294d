"""Values of a metric over variants → how often it ranks them as their errors do.

φ = concordant pairs / pairs of unequal Text-Rank, within one reference's variants; equal and undefined values count half.
Counts are doubled, so that a half is a whole number, and added over references before they are divided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cabs.studies.counterfactual.edits import IDENTITY, TYPES, Type
from cabs.studies.counterfactual.ladder import Variant

TIE = 1e-12
"""Values that differ by less are equal."""

SETS: dict[str, tuple[Type, ...]] = {"all": TYPES, "identity": IDENTITY}
"""Which types Text-Rank counts: all, or only those that change which findings are stated."""


def won(better: float, worse: float, higher: bool) -> int:
    """Twice what a pair adds: 2 where the variant with fewer errors has the better value, 1 for a tie or an undefined
    value, 0 otherwise.

    >>> won(0.9, 0.8, True), won(0.9, 0.8, False), won(0.5, 0.5, True), won(float("nan"), 0.1, True)
    (2, 0, 1, 1)
    """
    gain = (better - worse) if higher else (worse - better)
    return 1 if not abs(gain) > TIE else 2 if gain > 0 else 0


def comparisons(variants: Sequence[Variant]) -> Iterator[tuple[str, int, int]]:
    """(what, the variant with fewer errors, the one with more) of one reference.

    What: "all" and "identity" (every pair of unequal Text-Rank), "type T" (0 against 1 error, of type T),
    "step k" (k against k + 1 errors of one ladder), "step T" (the same by the type that is added), "steps" (all of
    these).
    """
    for name, types in SETS.items():
        ranks = [variant.errors(types) for variant in variants]
        yield from ((name, a, b) for a in range(len(variants)) for b in range(len(variants)) if ranks[a] < ranks[b])
    for b, above in enumerate(variants):
        for a, below in enumerate(variants):
            if not below.rung and above.rung == 1:
                yield f"type {above.edits[-1].type}", a, b
            if below.ladder == above.ladder and above.rung == below.rung + 1:
                yield "steps", a, b
                yield f"step {below.rung}", a, b
                yield f"step {above.edits[-1].type}", a, b


def counts(variants: Sequence[Variant], values: Sequence[float], higher: bool) -> Counter[str]:
    """Twice the concordant pairs ("WHAT +") and twice the pairs ("WHAT") of one reference."""
    found: Counter[str] = Counter()
    for what, a, b in comparisons(variants):
        found[f"{what} +"] += won(values[a], values[b], higher)
        found[what] += 2
    return found
