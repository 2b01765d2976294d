"""Names outside the ontology: the same words, or a slip of the pen, but never another prefix or an
opposite."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from cabs.ontology.names import Names as Words

if TYPE_CHECKING:
    from cabs.ontology import Ontology

SHORTEST = 6
"""Words of fewer letters are never taken for misspelt ones: one letter makes another word."""
LONG = 10
"""From this length two letters may differ."""
HEAD = 4
"""The first letters must be the same: a prefix is where meanings turn."""


class Names:
    """Normalised words of names, and whether two names are one (Damerau-Levenshtein, restricted)."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._words = Words(ontology.spelling)
        self._listed: frozenset[str] | None = None

    def words(self, name: str) -> tuple[str, ...]:
        """The words of a name, sorted: case, number, spelling, hyphens and order don't count. Never empty."""
        return tuple(sorted(self._words.words(name))) or (name.strip(),)

    def same(self, a: tuple[str, ...], b: tuple[str, ...]) -> bool:
        """Whether two names (as `words` gives them) are one: equal words, at most two of them with a slip."""
        if a == b:
            return True
        if len(a) != len(b):
            return False
        left, right = list(a), list(b)
        for word in a:
            if word in right:
                left.remove(word)
                right.remove(word)
        if len(left) > 2:
            return False
        return any(all(map(self._slip, left, order)) for order in permutations(right))

    def _slip(self, a: str, b: str) -> bool:
        if min(len(a), len(b)) < SHORTEST or a[:HEAD] != b[:HEAD] or not a.isalpha() or not b.isalpha():
            return False
        if self._ontology.opposites.apart(a, b) or (a in self._known() and b in self._known()):
            return False
        from rapidfuzz.distance import OSA

        allowed = 1 if min(len(a), len(b)) < LONG else 2
        return OSA.distance(a, b, score_cutoff=allowed) <= allowed

    def _known(self) -> frozenset[str]:
        """The words of the ontology: none of them is a misspelling of another."""
        if self._listed is None:
            forms = [form for e in self._ontology.entities.values() for form in (e.label, *e.forms)]
            forms += [form for s in self._ontology.structures.values() for form in (s.label, *s.forms)]
            values = (v for kind in self._ontology.attribute_kinds.values() for v in kind.values.values())
            forms += [form for value in values for form in value.forms]
            self._listed = frozenset(word for form in forms for word in self._words.words(form))
        return self._listed
