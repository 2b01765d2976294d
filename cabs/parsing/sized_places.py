"""A place and its measurement → the finding that they state: a lymph node of 14 mm, or "RUL 6 mm" below "Nodules:"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cabs.parsing.scan import ATTRIBUTE, ENTITY, PLACE, SIDE, SIZE, STATE, Token
from cabs.parsing.slots import is_prior

_BELOW = frozenset(("than", "below", "under", "<", "sub"))
_LESS = 0.1

Sized = tuple[str, float]
"""An entity, and the size in mm from which on a place states it."""


class SizedPlace(NamedTuple):
    """The `entity` that a place states, whether it is large `enough` for it, and the index where its words start."""

    entity: str
    enough: bool
    first: int


def sized_place(tokens: list[Token], at: int, sized: Sized | None) -> SizedPlace | None:
    """What the place at `at` states by its size, measured in front ("14 mm node") or behind; None for a place that
    isn't measured so. `sized`: what any place states under the heading."""
    form = tokens[at].form
    if form is None:
        return None
    if form.measured is not None:
        entity, least = form.measured
        sizes = list(_around(tokens, at))
        enough = bool(sizes) and max(sizes) >= least
        return SizedPlace(entity, enough, at) if enough or (sized is not None and sizes) else None
    size = _beside(tokens, at) if sized is not None else None
    if sized is None or size is None:
        return None
    return SizedPlace(sized[0], _length(tokens, size) >= sized[1], min(size, at))


def _around(tokens: list[Token], at: int) -> Iterator[float]:
    """The present measurements of the place at `at`, each by its largest axis in mm: among its modifiers, and up to the
    next head or measured place."""
    first = at
    while first > 0 and tokens[first - 1].kind in (ATTRIBUTE, SIDE, PLACE, SIZE, "w"):
        first -= 1
    for i in range(first, len(tokens)):
        form = tokens[i].form
        if i > at and (tokens[i].kind in (ENTITY, STATE) or (form is not None and form.measured)):
            return
        if tokens[i].kind == SIZE and not is_prior(tokens, i):
            yield _length(tokens, i)


def _beside(tokens: list[Token], at: int) -> int | None:
    """Index of the measurement right behind the place at `at` ("hilar 14 mm"), or else right in front of it at the
    start of its item ("14 mm, hilar"); None for none."""
    behind = next((i for i in range(at + 1, len(tokens)) if not _leads(tokens[i])), None)
    if behind is not None and tokens[behind].kind == SIZE:
        return behind
    front = next((i for i in range(at - 1, -1, -1) if not (_leads(tokens[i]) or tokens[i].kind in ("d", SIDE))), None)
    opens = front is not None and tokens[front].kind == SIZE and (front == 0 or tokens[front - 1].kind in ("&", ";"))
    return front if opens else None


def _leads(token: Token) -> bool:
    """True for what may stand between a place and its measurement."""
    return token.text in ("(", ",", ":") or token.kind in ("v", "p")


def _length(tokens: list[Token], i: int) -> float:
    """The largest axis of the measurement at `i` in mm. "Less than 1 cm" is less."""
    return tokens[i].mm[0] - (_LESS if i and tokens[i - 1].text in _BELOW else 0.0)
