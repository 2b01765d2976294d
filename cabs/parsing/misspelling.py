"""A misspelt word → the known word that it stands for.

Guarded: one letter left out, added, changed or two swapped; the first letter right, the last letters not a mere
inflection; only one known word so near; no word of everyday English; and never across a pair of opposites
("hypodense", "hyperdense").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from cabs.ontology.opposites import Opposites

SHORTEST = 7
"""Shorter words have too many neighbours."""
_MEMORY = 20_000
_LONG_WORD = re.compile(rf"(?<![\w'-])[a-z]{{{SHORTEST},}}(?![\w'])")


class Misspellings:
    """Corrects words towards `known` ones; `ordinary` words are right as they are. Build once, share freely."""

    def __init__(self, known: Iterable[str], ordinary: Iterable[str], opposites: Opposites) -> None:
        self._known = frozenset(known)
        self._right = self._known | frozenset(ordinary)
        self._opposites = opposites
        self._alike: dict[tuple[str, int], list[str]] = {}  # by first letter and length
        for word in sorted(self._known):
            if len(word) >= SHORTEST and word.isalpha():
                self._alike.setdefault((word[0], len(word)), []).append(word)
        self.correct = lru_cache(maxsize=_MEMORY)(self._correct)

    def corrected(self, flat: str, offsets: list[int]) -> tuple[str, list[int]]:
        """A lower-case text with its misspelt words written right, and where each of its characters stands.

        `offsets` are the places of the given characters, `[]` for their own; they come back unchanged where no word is
        misspelt. A corrected word starts and ends where the misspelt one does.
        """
        parts: list[str] = []
        places: list[int] = []
        at = 0
        for match in _LONG_WORD.finditer(flat):
            right = self.correct(match[0])
            if right is None:
                continue
            start, end = match.span()
            parts += (flat[at:start], right)
            places += range(at, start)
            places += (min(start + i, end - 1) if i < len(right) - 1 else end - 1 for i in range(len(right)))
            at = end
        if not parts:
            return flat, offsets
        places += range(at, len(flat))
        return "".join([*parts, flat[at:]]), [offsets[i] for i in places] if offsets else places

    def _correct(self, word: str) -> str | None:
        """The known word that a lower-case word misspells; None where it is right, unknown or could be several."""
        if len(word) < SHORTEST or word in self._right:
            return None
        meant = [known for known in self._near(word) if self._means(word, known)]
        return meant[0] if len(meant) == 1 else None

    def _near(self, word: str) -> list[str]:
        """The known words with the same first letter that one edit makes of this one."""
        sizes = range(len(word) - 1, len(word) + 2)
        alike = [known for size in sizes for known in self._alike.get((word[0], size), ())]
        return [known for known, _, _ in extract(word, alike, scorer=OSA.distance, score_cutoff=1, limit=None)]

    def _means(self, word: str, known: str) -> bool:
        return not _inflects(word, known) and not self._opposites.apart(word, known)


def _inflects(word: str, known: str) -> bool:
    """True for words that differ at the end alone ("enlarge", "enlarged")."""
    return word[:-1] == known[:-1] or word == known[:-1] or word[:-1] == known
