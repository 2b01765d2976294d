"""Words that an answer quotes → their place in the report, to the letter but for line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable

from cabs.values import Span

LEAST = 2
"""Characters of a quote that can be evidence."""


class Quotes:
    """Finds quotes in one text. A quote that comes several times is found where the last one was left, so that repeated
    sentences are told apart."""

    def __init__(self, text: str) -> None:
        self.text, self._at = text, 0

    def find(self, quote: str, *, within: Span | None = None, moves: bool = False) -> Span | None:
        """The characters of a quote, None where the text does not hold it. Any run of blanks may stand for any other.

        `within`: look in this stretch alone; `moves`: the next search begins here.
        """
        words = quote.strip()
        if len(words) < LEAST:
            return None
        start, end = (self._at, len(self.text)) if within is None else within
        found = self._search(words, start, end)
        if found is None and within is None:
            found = self._search(words, 0, len(self.text))
        if moves and found is not None:
            self._at = found.start
        return found

    def _search(self, words: str, start: int, end: int) -> Span | None:
        """Letter by letter, which is nearly always enough, else with other blanks."""
        at = self.text.find(words, start, end)
        if at >= 0:
            return Span(at, at + len(words))
        match = _spaced(words).search(self.text, start, end)
        return None if match is None else Span(match.start(), match.end())

    def holds(self, words: str) -> bool:
        """Whether the text has these words, whatever their case."""
        told = words.strip()
        return bool(told) and (told in self.text or _spaced(told, re.IGNORECASE).search(self.text) is not None)


def _spaced(words: str, flags: int = 0) -> re.Pattern[str]:
    """The words with any blanks between them."""
    return re.compile(r"\s+".join(map(re.escape, words.split())), flags)


def spoken_of(known: Callable[[str], bool], evidence: str, name: str) -> bool:
    """Whether a quote can be about what it is evidence of: it holds a word that the ontology knows, or one of the name.
    A sentence that only addresses the reader holds neither."""
    if known(evidence):
        return True
    said = set(re.findall(r"[a-z]{4,}", evidence.lower()))
    return any(word in said for word in re.findall(r"[a-z]{4,}", name.lower()))
