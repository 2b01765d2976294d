"""Words that an answer quotes → their places in the report, to the letter but for line breaks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice

from cabs.values import Span

LEAST = 2
"""Characters of a quote that can be evidence."""
MOST = 200
"""Places of one quote that are looked at."""


class Quotes:
    """Finds quotes in one text. A quote that comes several times is found where the last one was left, and for each
    item that says the same at a place of its own, so that repeated sentences are told apart.

    `read`: whether characters stand where the report is read; a place there goes before any other.
    """

    def __init__(self, text: str, read: Callable[[Span], bool] = lambda _: True) -> None:
        self.text, self._read, self._at = text, read, 0
        self._taken: dict[Hashable, set[Span]] = defaultdict(set)

    def places(self, quote: str) -> list[Span]:
        """Where a quote stands: the places that are read, if there are any, else all; () where the text does not hold
        it. Any run of blanks may stand for any other."""
        words = quote.strip()
        found = list(islice(self._search(words), MOST)) if len(words) >= LEAST else []
        return [span for span in found if self._read(span)] or found

    def find(self, quote: str, item: Hashable) -> Span | None:
        """The place of a quote for an item of the answer; an equal item gets the next place. None where the text does
        not hold it."""
        found = self.places(quote)
        if not found:
            return None
        free = [span for span in found if span not in self._taken[item]] or found
        span = next((span for span in free if span.start >= self._at), free[0])
        self._taken[item].add(span)
        self._at = span.start
        return span

    def inside(self, quote: str, within: Span) -> Span | None:
        """The first place of a quote in a stretch of the text."""
        words = quote.strip()
        found = self._search(words, *within) if len(words) >= LEAST else iter(())
        return next(found, None)

    def _search(self, words: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
        """Letter by letter, which is nearly always enough, else with other blanks."""
        end = len(self.text) if end is None else end
        at = self.text.find(words, start, end)
        if at < 0:
            yield from (Span(*match.span()) for match in _spaced(words).finditer(self.text, start, end))
        while at >= 0:
            yield Span(at, at + len(words))
            at = self.text.find(words, at + len(words), end)

    def wording(self, words: str) -> str:
        """These words as they stand in the text, maybe in another case and with other blanks; "" where they do not."""
        told = words.strip()
        if not told or told in self.text:
            return told
        found = _spaced(told, re.IGNORECASE).search(self.text)
        return found[0] if found else ""


def _spaced(words: str, flags: int = 0) -> re.Pattern[str]:
    """The words with any blanks between them."""
    return re.compile(r"\s+".join(map(re.escape, words.split())), flags)


def spoken_of(known: Callable[[str], bool], evidence: str, name: str) -> bool:
    """Whether a quote can be about what it is evidence of: it holds a word that the ontology knows, or one of the name.
    A sentence that only addresses the reader holds neither."""
    return known(evidence) or any(word in words_of(evidence) for word in words_of(name))


def words_of(text: str) -> Sequence[str]:
    """The words of a text that are long enough to tell something."""
    return re.findall(r"[a-z]{4,}", text.lower())
