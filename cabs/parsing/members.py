"""One noun for several lesions that are measured one by one: "nodules of 5 mm on the right and 7 mm on the left"."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from cabs.parsing.places import PlacePhrase
from cabs.parsing.scan import SIZE, Token
from cabs.parsing.slots import is_prior


@dataclass(frozen=True, slots=True)
class Member:
    """One lesion of several: the index of its measurement, and the place phrases that are its own."""

    size: int
    places: tuple[PlacePhrase, ...]


def members(tokens: list[Token], region: list[int], places: list[PlacePhrase]) -> list[Member]:
    """The members that a head's region measures, in order; [] where it measures one lesion at most.

    Measurements make members only as items of a list: joined by a conjunction, with nothing between them but place
    words.
    """
    sizes = [i for i in region if tokens[i].kind == SIZE and not is_prior(tokens, i)]
    if len(sizes) < 2 or not all(_listed(tokens, a, b, places) for a, b in pairwise(sizes)):
        return []
    following = any(p.first > sizes[-1] for p in places)
    found = []
    for n, size in enumerate(sizes):
        low = size if following else (sizes[n - 1] if n else region[0])
        high = (sizes[n + 1] if n + 1 < len(sizes) else len(tokens)) if following else size
        found.append(
            Member(
                size,
                tuple(
                    p
                    for p in places
                    if (low < p.first and p.end <= high) or (low <= p.first < size < high and not following)
                ),
            )
        )
    return found


def _listed(tokens: list[Token], first: int, second: int, places: list[PlacePhrase]) -> bool:
    """True where only place words and a conjunction stand between two measurements."""
    inside = {i for p in places for i in range(p.first, p.end)}
    between = [i for i in range(first + 1, second) if i not in inside]
    joined = any(tokens[i].kind == "&" for i in range(first + 1, second))
    return joined and all(tokens[i].kind in ("&", "d", "p") for i in between)
