"""The closed word classes of English that hold a sentence together."""

from __future__ import annotations

PREPOSITIONS = frozenset(
    (
        "of in at on within into along from to by near between through over under around across throughout during per "
        "via inside outside beneath behind above below against toward towards onto upon beyond adjoining for with"
    ).split()
)
RELATIONS = frozenset(
    "along through between over under around across throughout outside beneath behind above below against toward "
    "towards into onto beyond near by".split()
)
"""Prepositions that say where something is as seen from a place, not merely in it."""
BESIDE = frozenset(("around", "near", "behind", "above", "below", "beneath", "by"))
"""Those of them that leave the place itself out."""
WITHOUT = frozenset(("without", "w/o"))
BOUNDS = frozenset("than below under above over beyond exceeding least < >".split())
"""Words that make a measurement a bound, not the size of a thing."""
CONJUNCTIONS = frozenset(("and", "or", "nor", ",", "/", "&", "plus", "as well as", "+", "and/or"))
VERBS = frozenset(
    (
        "is are was were be been being has have had shows show showed contains contain demonstrates demonstrate "
        "reveals reveal exhibits exhibit appears appear remains remain measures measure lies sits seems does do did "
        "can may could should would might will must"
    ).split()
)
DETERMINERS = frozenset(
    ["the", "a", "an", "this", "that", "these", "those", "its", "their", "his", "her", "some", "any"]
)
STOPS = frozenset((";", ":", ".", "!", "?", "|", "->", "="))


def word_class(word: str) -> str:
    """The class of a lower-case word or mark: p(reposition), &(conjunction), v(erb), d(eterminer), ;(stop), w(ord)."""
    return _CLASS.get(word, "w")


_CLASS = {
    word: cls
    for cls, words in (
        ("p", PREPOSITIONS),
        ("&", CONJUNCTIONS),
        ("v", VERBS),
        ("d", DETERMINERS),
        (";", STOPS),
    )
    for word in words
}
