"""Where known texts stand in a sentence, as whole words."""

from __future__ import annotations

import re
from collections.abc import Collection

_START = 10
"""So many first letters of a longer text are looked up before it is looked for."""
_PIECE = re.compile(r"[^\W_]+|\S")


class Occurrences:
    """Finds the occurrences of `texts` (without white space at their ends); built once, never changed.

    A text starts and ends where no letter or digit is cut from its neighbour. Time grows linearly with the sentence.
    """

    def __init__(self, texts: Collection[str]) -> None:
        self._texts = frozenset(texts)
        self._longest: dict[str, int] = {}  # by the first letters
        for text in texts:
            start = text[:_START]
            if len(text) > self._longest.get(start, 0):
                self._longest[start] = len(text)

    def of(self, sentence: str) -> list[tuple[int, int, str]]:
        """Start, end and text of every occurrence, by their starts and then by their ends."""
        found: list[tuple[int, int, str]] = []
        pieces = [match.span() for match in _PIECE.finditer(sentence)]
        for i, (start, end) in enumerate(pieces):
            reach = start + self._longest.get(sentence[start : start + _START], _START)
            at = i
            while end <= reach:
                text = sentence[start:end]
                if text in self._texts:
                    found.append((start, end, text))
                at += 1
                if at == len(pieces):
                    break
                end = pieces[at][1]
        return found
