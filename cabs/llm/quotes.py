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
        words = quote.split()
        if len(quote.strip()) < LEAST or not words:
            return None
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        start, end = (self._at, len(self.text)) if within is None else within
        match = pattern.search(self.text, start, end)
        if match is None and within is None:
            match = pattern.search(self.text)
        if match is None:
            return None
        if moves:
            self._at = match.start()
        return Span(match.start(), match.end())

    def holds(self, words: str) -> bool:
        """Whether the text has these words, whatever their case."""
        folded = r"\s+".join(map(re.escape, words.split()))
        return bool(folded) and re.search(folded, self.text, re.IGNORECASE) is not None


def spoken_of(known: Callable[[str], bool], evidence: str, name: str) -> bool:
    """Whether a quote can be about what it is evidence of: it holds a word that the ontology knows, or one of the name.
    A sentence that only addresses the reader holds neither."""
    if known(evidence):
        return True
    said = set(re.findall(r"[a-z]{4,}", evidence.lower()))
    return any(word in said for word in re.findall(r"[a-z]{4,}", name.lower()))
