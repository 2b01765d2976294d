"""A word that is not known → the known one that was probably meant, for messages."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

LIKENESS = 75.0
"""Words that are less alike (0 to 100, by letters) are not offered."""


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known word that is spelt most like a wrong one; None where none is near."""
    best = process.extractOne(wrong, sorted(known), scorer=fuzz.ratio, score_cutoff=LIKENESS)
    return None if best is None else str(best[0])


def meant(wrong: str, known: Iterable[str]) -> str:
    """The end of a message: "; did you mean NAME?", or nothing."""
    near = nearest(wrong, known)
    return f"; did you mean {near}?" if near else ""


def meant_of_few(wrong: str, known: Iterable[str]) -> str:
    """The end of a message on a closed list: the known word that was probably meant, or else all of them."""
    listed = sorted(known)
    return meant(wrong, listed) or f"; known are {', '.join(listed) or 'none'}"
