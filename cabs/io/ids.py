"""Ids that one file has and another lacks: how messages name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from rapidfuzz import fuzz, process

SHOWN = 3
"""Ids that a message names."""
LIKE = 75.0
"""Ids that are less alike (0 to 100, by letters) are not offered."""
COMPARED = 20_000
"""Ids that are looked at for one that is near."""


def some(ids: Sequence[str]) -> str:
    """The first ids, quoted.

    >>> some(["a", "b", "c", "d"])
    "'a', 'b', 'c', ..."
    """
    return ", ".join(map(repr, ids[:SHOWN])) + (", ..." if len(ids) > SHOWN else "")


def near(id: str, known: Iterable[str]) -> str:
    """Which known ids an unknown one may mean: the same but for case, spaces, zeros in front and an ending, else those
    spelt nearly like it, else what known ids look like.

    >>> near("A1.txt ", ["a1", "a2"]), near("xyz", ["a1", "a2"]), near("xyz", [])
    ("did you mean 'a1'?", "ids there look like 'a1', 'a2'", 'there are no ids')
    """
    pool = list(islice(known, COMPARED))
    if not pool:
        return "there are no ids"
    same = [other for other in pool if _bare(other) == _bare(id)]
    alike = same or [
        name for name, _, _ in process.extract(id, pool, limit=SHOWN, scorer=fuzz.ratio, score_cutoff=LIKE)
    ]
    return f"did you mean {' or '.join(map(repr, alike[:SHOWN]))}?" if alike else f"ids there look like {some(pool)}"


def _bare(id: str) -> str:
    """An id without what tools add and take away on the way."""
    text = id.strip().casefold()
    stem, dot, ending = text.rpartition(".")
    text = stem if dot and stem and ending.isalpha() else text
    return text.lstrip("0") or text
