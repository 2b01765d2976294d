"""Values of a metric over the variants of a reference → how often it ranks them as their errors do.

φ = concordant pairs / pairs of unequal Text-Rank, within one reference's variants; equal and undefined values count
half. Counts are doubled, so that a half is a whole number, and added over references before they are divided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cabs.studies.counterfactual.edits import IDENTITY, TYPES, Type

TIE = 1e-12
"""Values that differ by less are equal."""

SETS: dict[str, frozenset[Type]] = {"all": frozenset(TYPES), "identity": frozenset(IDENTITY)}
"""Which types Text-Rank counts: all, or only those that change which findings are stated."""

EQUAL = "equal"
"""Pairs that ought to have equal values; no part of φ."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One error of a text: its type, which one it is, and what it adds to Text-Rank."""

    type: Type
    what: str
    errors: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """One variant: a text and its errors in the order in which they were made."""

    name: str
    text: str
    mistakes: tuple[Mistake, ...]

    def errors(self, types: frozenset[Type]) -> int:
        """Text-Rank, of these types alone."""
        return sum(mistake.errors for mistake in self.mistakes if mistake.type in types)


@dataclass(frozen=True, slots=True)
class Group:
    """A reference and its variants. `orders`: pairs of variants whose order was stated instead of their errors: the
    first is better (">"), or both are worth the same ("=")."""

    id: str
    reference: str
    variants: tuple[Ranked, ...]
    category: str = ""
    orders: tuple[tuple[int, Literal[">", "="], int], ...] = ()


def won(better: float, worse: float, higher: bool) -> int:
    """Twice what a pair adds: 2 where the variant with fewer errors has the better value, 1 for a tie or an undefined
    value, 0 otherwise.

    >>> won(0.9, 0.8, True), won(0.9, 0.8, False), won(0.5, 0.5, True), won(float("nan"), 0.1, True)
    (2, 0, 1, 1)
    """
    gain = (better - worse) if higher else (worse - better)
    return 1 if not abs(gain) > TIE else 2 if gain > 0 else 0


def alike(a: float, b: float) -> bool:
    """True for two values of the same worth; two undefined ones are."""
    return (a != a and b != b) or abs(a - b) <= TIE


def comparisons(group: Group) -> Iterator[tuple[str, int, int]]:
    """(what, the variant with fewer errors, the one with more) of one reference.

    What: "all" and "identity" (every pair of unequal Text-Rank), "step N" (neighbouring rungs: one error more than N of
    the same ones), "step T" (the same by the type that is added), "steps" (all of these), "type T" (0 against 1 error).
    """
    texts = group.variants
    if group.orders:
        yield from (("all", a, b) for a, sign, b in group.orders if sign == ">")
        return
    for name, types in SETS.items():
        ranks = [variant.errors(types) for variant in texts]
        yield from ((name, a, b) for a in range(len(texts)) for b in range(len(texts)) if ranks[a] < ranks[b])
    for b, above in enumerate(texts):
        for a, below in enumerate(texts):
            size = len(below.mistakes)
            if len(above.mistakes) == size + 1 and above.mistakes[:size] == below.mistakes:
                type = above.mistakes[-1].type
                yield from ((what, a, b) for what in ("steps", f"step {size}", f"step {type}"))
                if not size:
                    yield f"type {type}", a, b


def counts(group: Group, values: Sequence[float], higher: bool) -> Counter[str]:
    """Twice the concordant pairs ("WHAT +") and twice the pairs ("WHAT") of one reference, and the same for pairs that
    ought to be equal."""
    found: Counter[str] = Counter()
    for what, a, b in comparisons(group):
        found[f"{what} +"] += won(values[a], values[b], higher)
        found[what] += 2
    for a, sign, b in group.orders:
        if sign == "=":
            found[f"{EQUAL} +"] += 2 * alike(values[a], values[b])
            found[EQUAL] += 2
    return found
