"""Words that nothing explains → the known name that is nearest, so that its author sees what is there already.

For readers, never for matching: a near name is an offer.
"""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import fuzz, process

from cabs.ontology.names import Names
from cabs.ontology.ontology import Ontology
from cabs.ontology.search import Hit, named

LIKENESS = 84.0
"""Names that are less alike (0 to 100, by letters) are not offered."""
SHORTEST = 5
"""Words of fewer letters are never taken for misspelt ones."""
WHOLE = 95.0
"""The likeness of a name that holds all the words."""


class Nearest:
    """Finds the nearest known names of one ontology. Make it once for many words."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology, self._keys = ontology, Names(ontology.spelling)
        self._entries = list(named(ontology))
        self._spelt = [" ".join(self._keys.words(entry.name.replace("_", " "))) for entry in self._entries]
        self._holding: dict[str, list[int]] = {}
        for at, name in enumerate(self._spelt):
            for word in set(name.split()):
                self._holding.setdefault(word, []).append(at)

    def of(self, words: str) -> Hit | None:
        """The shortest name that holds the words, else the one that is spelt most like them; None where none is near.

        A name that differs by a prefix or by a word of opposite meaning is never near.
        """
        wanted = " ".join(self._keys.words(words))
        if not wanted:
            return None
        return self._holder(wanted) or self._alike(wanted)

    def _holder(self, wanted: str) -> Hit | None:
        candidates = min((self._holding.get(word, []) for word in wanted.split()), key=len)
        holders = [at for at in candidates if f" {wanted} " in f" {self._spelt[at]} "]
        if not holders:
            return None
        best = min(holders, key=lambda at: (len(self._spelt[at]), self._spelt[at], self._entries[at].id))
        return self._entries[best]._replace(score=100.0 if self._spelt[best] == wanted else WHOLE)

    def _alike(self, wanted: str) -> Hit | None:
        if len(wanted) < SHORTEST:
            return None
        likest = process.extract(wanted, self._spelt, scorer=fuzz.ratio, limit=20, score_cutoff=LIKENESS)
        near = [(-score, self._entries[at].id, at) for name, score, at in likest if not self._apart(wanted, name)]
        if not near:
            return None
        score, _, at = min(near)
        return self._entries[at]._replace(score=round(-score, 1))

    def _apart(self, wanted: str, name: str) -> bool:
        mine, theirs = set(wanted.split()) - set(name.split()), set(name.split()) - set(wanted.split())
        return any(a.endswith(b) or b.endswith(a) or self._ontology.opposites.apart(a, b) for a in mine for b in theirs)


@lru_cache(maxsize=2)
def nearest_of(ontology: Ontology) -> Nearest:
    """The `Nearest` of an ontology; made once, shared by all who ask."""
    return Nearest(ontology)
