"""What moved between two results: every number under the same keys, the largest change first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

THRESHOLD = 0.0025
"""Smaller changes are not worth a line."""
MOST = 60


class Move(NamedTuple):
    """A figure before and after."""

    figure: str
    before: float
    after: float

    @property
    def by(self) -> float:
        """How far it went, up or down."""
        return self.after - self.before


def numbers(results: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a result with its path."""
    for key, value in results.items():
        path = f"{above}/{key}" if above else str(key)
        if isinstance(value, Mapping):
            yield from numbers(value, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield path, float(value)


def moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Move]:
    """The ratios (-1 to 1) that changed by more than the threshold, the largest change first. Counts, and figures that
    only one of them has, are no moves."""
    old = dict(numbers(before))
    moves = [Move(path, old[path], value) for path, value in numbers(after) if path in old]
    ratios = [m for m in moves if max(abs(m.before), abs(m.after)) <= 1 and abs(m.by) > THRESHOLD]
    return sorted(ratios, key=lambda m: (-abs(m.by), m.figure))


def told(moves: list[Move]) -> str:
    """The moves as lines, the largest ones alone where there are many."""
    ups = sum(move.by > 0 for move in moves)
    lines = [f"moved against the stored results: {ups} up, {len(moves) - ups} down"]
    lines += [f"  {m.by:+.3f}  {m.before:.3f} -> {m.after:.3f}  {m.figure}" for m in moves[:MOST]]
    if len(moves) > MOST:
        lines.append(f"  and {len(moves) - MOST} smaller ones")
    return "\n".join(lines)
