"""Names in one spelling: what makes two names the same name.

Case, hyphens, punctuation, number, British spelling, joined prefixes, minor words and word order don't count;
every other word does. Nothing is fuzzy: words that differ by a prefix stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from cabs.ontology.forms import Spelling

_OWNED = re.compile(r"['\u2019\u2018]s\b")
_WORD = re.compile(r"[^\W_]+|#")


class Names:
    """Normalises names by the tables of one ontology. Words are remembered, up to a bound."""

    _BOUND = 50_000

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._known: dict[str, tuple[str, ...]] = {}

    def words(self, name: str) -> tuple[str, ...]:
        """The words of a name in one spelling, in the order of the text; () for a name without words."""
        plain = _OWNED.sub("", unicodedata.normalize("NFKC", name).lower())
        return tuple(part for word in _WORD.findall(plain) for part in self._word(word))

    def key(self, name: str) -> str:
        """The name with its words sorted: equal for two names that are the same name."""
        return joined(self.words(name))

    def _word(self, word: str) -> tuple[str, ...]:
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= self._BOUND:
                self._known.clear()
            known = self._known[word] = tuple(w for w in self._parts(word) if w not in self._spelling.minor)
        return known

    def _parts(self, word: str) -> tuple[str, ...]:
        """One word to its parts in one spelling, until nothing changes any more."""
        parts: tuple[str, ...] = (word,)
        for _ in range(len(word) + 2):
            changed = tuple(part for old in parts for part in self._spelling.apart(self._once(old)).split())
            if changed == parts:
                break
            parts = changed
        return parts

    def _once(self, word: str) -> str:
        return self._spelling.singular(self._spelling.american.replace(word))


def joined(words: Iterable[str]) -> str:
    """The key of normalised words."""
    return " ".join(sorted(words))
