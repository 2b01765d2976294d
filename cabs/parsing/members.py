"""One noun for several lesions that are measured or graded one by one: "nodules of 5 mm on the right and 7 mm on the
left", "effusion, large on the right and small on the left"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from cabs.parsing.places import PlacePhrase, items
from cabs.parsing.scan import ATTRIBUTE, SIDE, SIZE, Token
from cabs.parsing.slots import is_prior


@dataclass(frozen=True, slots=True)
class Member:
    """One lesion of several: the index of its measurement or grade, and the place phrases that are its own."""

    told: int
    places: tuple[PlacePhrase, ...]


def members(tokens: list[Token], region: list[int], places: list[PlacePhrase]) -> list[Member]:
    """The members that a head's region measures, in order; [] where it measures one lesion at most.

    Measurements, or grades where nothing is measured, make members only as items of a list: joined by a conjunction,
    with nothing between them but place words, how the lesion was measured and remarks in brackets.
    """
    sizes = [i for i in region if tokens[i].kind == SIZE and not is_prior(tokens, i)]
    if not sizes:
        return _graded(tokens, region, places)
    if len(sizes) < 2 or not all(_listed(tokens, region, a, b, places) for a, b in pairwise(sizes)):
        return []
    if (apiece := _apiece(tokens, sizes, places)) is not None:
        return apiece
    if any(t.form is not None and t.form.measured for p in places if p.first - 1 in sizes for t in p.tokens):
        return []  # "a 12 mm node and a 7 mm hilar node"
    following = any(p.first > sizes[-1] for p in places)
    if following and sizes[-1] < next((a + 1 for a, b in pairwise(region) if b > a + 1), 0):
        return [Member(size, ()) for size in sizes]  # "8 mm and 5 mm nodules in the right upper lobe"
    places = [p for p in places if not _of_both(p)] or places
    starts, ends = [region[0], *sizes], [*sizes, len(tokens)]
    found = []
    for n, size in enumerate(sizes):
        low, high = (starts[n + 1], ends[n + 1]) if following else (starts[n], ends[n])
        found.append(Member(size, tuple(p for p in places if low <= p.first and p.end <= high)))
    own = [m for m in found if m.places]
    return [Member(m.told, ()) for m in found] if own == found[:1] and not following else found


def _graded(tokens: list[Token], region: list[int], places: list[PlacePhrase]) -> list[Member]:
    """A member for each grade that stands with a side of its own; [] where another word comes between."""
    sides = [p for p in places if all(t.kind == SIDE and _one(t) for t in p.tokens)]
    if len(sides) != 2:
        return []
    grades = [i for i in region if _grade(tokens[i]) is not None and any(_next(tokens, region, i, p) for p in sides)]
    kinds = {_grade(tokens[i]) for i in grades}
    if len(grades) != 2 or len(kinds) != 1:
        return []
    if not _listed(tokens, region, grades[0], grades[1], places):
        return []
    return [Member(grade, (side,)) for grade, side in zip(grades, sides, strict=True)]


def _next(tokens: list[Token], region: list[int], i: int, place: PlacePhrase) -> bool:
    """True where nothing but the head and a preposition stands between a word and the place beside it."""
    between = range(i + 1, place.first) if i < place.first else range(place.end, i)
    return all(tokens[j].kind in ("p", "d") for j in between if j in region)


def _grade(token: Token) -> str | None:
    """The kind of attribute that a word states."""
    return token.attributes[0][0] if token.kind == ATTRIBUTE and token.attributes else None


def _of_both(place: PlacePhrase) -> bool:
    """True for a place on both sides, which no single lesion has."""
    return any(t.form is not None and (t.form.pair or t.form.side == "bilateral") for t in place.tokens)


def _one(token: Token) -> bool:
    return token.form is not None and token.form.side in ("right", "left")


def _apiece(tokens: list[Token], sizes: list[int], places: list[PlacePhrase]) -> list[Member] | None:
    """A place for each size in the same order ("6 and 9 mm nodules in the RUL and LLL"); None for other counts."""
    behind = [item for p in places if p.first > sizes[-1] for item in items(tokens, p)]
    if len(behind) != len(sizes) or any(sizes[0] < p.first < sizes[-1] for p in places):
        return None
    return [Member(size, (item,)) for size, item in zip(sizes, behind, strict=True)]


def _listed(tokens: list[Token], region: list[int], first: int, second: int, places: list[PlacePhrase]) -> bool:
    """True where a conjunction joins two measurements, and nothing else of weight but the head stands between them."""
    inside = {i for p in places for i in range(p.first, p.end)} | _bracketed(tokens, first + 1, second)
    between = [i for i in region if first < i < second and i not in inside]
    joined = any(tokens[i].kind == "&" for i in range(first + 1, second))
    if not inside and any(_how(tokens[i]) for i in between):
        return False  # "4 cm in length and 2 cm in width" is one lesion
    return joined and all(tokens[i].kind in ("&", "d", "p") or _how(tokens[i]) for i in between)


def _how(token: Token) -> bool:
    return token.text in ("(", ")") or (token.form is not None and token.form.cue("measure") is not None)


def _bracketed(tokens: list[Token], first: int, end: int) -> set[int]:
    """Indices of the words in brackets that hold no measurement."""
    found: set[int] = set()
    opened: int | None = None
    for i in range(first, end):
        if tokens[i].text == "(":
            opened = i
        elif tokens[i].text == ")" and opened is not None:
            found.update(range(opened, i + 1))
            opened = None
    return found
