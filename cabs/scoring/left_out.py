"""What a run could not score, and predictions that say nothing, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

SHOWN = 5
"""Ids that a warning names."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A report that is named in the results, and why."""

    id: str
    reason: str


def left_out(unscored: Sequence[Listed], silent: Sequence[Listed], what_follows: str) -> Iterator[str]:
    """The warnings of a run: pairs that are unscored with their reasons, and predictions that were not read or are
    missing with `what_follows` from that ("missed everything")."""
    if unscored:
        told = _some([f"{item.id} ({item.reason})" for item in islice(unscored, SHOWN)], len(unscored))
        yield f"{_n(len(unscored), 'pair is', 'pairs are')} unscored: {told}"
    for reason, what in (("unread", "not read"), ("missing", "missing")):
        number = sum(item.reason == reason for item in silent)
        if number:
            ids = list(islice((item.id for item in silent if item.reason == reason), SHOWN))
            yield f"{_n(number, 'prediction was', 'predictions were')} {what} and {what_follows}: {_some(ids, number)}"


def _n(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _some(shown: Sequence[str], number: int) -> str:
    return ", ".join(shown) + (", ..." if number > SHOWN else "")
