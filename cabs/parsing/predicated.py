"""A word of size said of a place without a verb, or denied → the finding that the ontology lists with one: "kidney
small" as "kidney is small", "the gallbladder is not large" as "gallbladder is large"."""

from __future__ import annotations

from collections.abc import Callable

from cabs.parsing.form import Form
from cabs.parsing.scan import ATTRIBUTE, ENTITY, PLACE, SIDE, STATE, Token

StatedForm = Callable[[str], Form | None]
"""The form of a statement's words; None where they state no finding."""

_COPULAS = ("is", "are", "was", "were")
_NOT = "not"


def predicated(tokens: list[Token], stated: StatedForm) -> list[Token]:
    """The tokens of a sentence, such words as findings or as predicates (in place)."""
    for i, token in enumerate(tokens):
        if token.kind != ATTRIBUTE or not i or token.form is None:
            continue
        place = _telegraphic(tokens, i) or _denied(tokens, i)
        form = _form(place, token.form.text, stated) if place is not None else None
        if form is not None:
            token.kind, token.form = (ENTITY if form.entities else STATE), form
    return tokens


def _telegraphic(tokens: list[Token], i: int) -> Token | None:
    """The place that opens its clause with the word at `i` right behind it and nothing that the word could qualify."""
    first = i - 1
    while first > 0 and tokens[first - 1].kind in (SIDE, PLACE, "d"):
        first -= 1
    opens = first == 0 or tokens[first - 1].kind in ("&", ";")
    closes = i + 1 == len(tokens) or tokens[i + 1].kind in ("&", ";") or tokens[i + 1].text in ("(", "with", "at")
    return tokens[i - 1] if opens and closes and _named(tokens[i - 1]) else None


def _denied(tokens: list[Token], i: int) -> Token | None:
    """The place of which the word at `i` is denied."""
    if i < 3 or tokens[i - 1].text != _NOT or tokens[i - 2].text not in _COPULAS:
        return None
    return tokens[i - 3] if _named(tokens[i - 3]) else None


def _named(token: Token) -> bool:
    return token.kind == PLACE and not token.adjective


def _form(place: Token, word: str, stated: StatedForm) -> Form | None:
    noun = place.form.text if place.form is not None else place.text
    return next((form for text in (f"{noun} is {word}", f"is {word}") if (form := stated(text)) is not None), None)
