"""Numbered places told in a row → a place token each: "segments 6 and 10", "ribs 4-7", "the 4th through 8th ribs"."""

from __future__ import annotations

import re
from collections.abc import Callable

from cabs.parsing.form import Form
from cabs.parsing.scan import ATTRIBUTE, ENTITY, PLACE, Token

PlaceForm = Callable[[str], Form | None]
"""The form of a place's words; None where they name no place."""

_LABEL = re.compile(r"(?:\d{1,2}(?:st|nd|rd|th|[a-z])?|[ivx]{1,4}[ab]?)$")
_RANGE = frozenset(("-", "to", "through"))


def series(tokens: list[Token], place: PlaceForm) -> list[Token]:
    """The tokens of a sentence with the further labels of a numbered place as places of their own (in place)."""
    if any(t.kind == "w" and _LABEL.match(t.text) for t in tokens):
        for i, token in enumerate(tokens):
            if token.kind in (PLACE, ENTITY) and token.form is not None:
                _onwards(tokens, i, token.form.text, place)
                _backwards(tokens, i, token.form.text, place)
    return tokens


def _onwards(tokens: list[Token], i: int, text: str, place: PlaceForm) -> None:
    words = text.split()
    noun = " ".join(words[:-1]) if _LABEL.match(words[-1]) else words[-1]
    at = i + 1 if noun == words[-1] else _behind(tokens, i + 1)
    while noun and at < len(tokens) and _is_label(tokens, at):
        if (form := place(f"{noun} {tokens[at].text}")) is None:
            return
        _take(tokens, range(i + 1, at), at, form)
        i, at = at, _behind(tokens, at + 1)


def _backwards(tokens: list[Token], i: int, text: str, place: PlaceForm) -> None:
    label, _, noun = text.partition(" ")
    at = i - 2
    while noun and _LABEL.match(label) and at >= 0 and _joins(tokens[at + 1]) and _is_label(tokens, at):
        if (form := place(f"{tokens[at].text} {noun}")) is None:
            return
        _take(tokens, range(at + 1, at + 2), at, form)
        at -= 2


def _behind(tokens: list[Token], at: int) -> int:
    """Index of what follows a conjunction or dash from `at` on, a remark in brackets before it left out."""
    if at < len(tokens) and tokens[at].text == "(":
        at = next((j + 1 for j in range(at, len(tokens)) if tokens[j].text == ")"), len(tokens))
    if at < len(tokens) and _joins(tokens[at]):
        at += 1
        return at + 1 if at < len(tokens) and tokens[at].kind == "&" else at
    return len(tokens)


def _joins(token: Token) -> bool:
    return token.kind == "&" or token.text in _RANGE


def _is_label(tokens: list[Token], at: int) -> bool:
    """True for a bare label; a number that counts what follows ("and 2 nodules") is none."""
    counts = at + 1 < len(tokens) and tokens[at + 1].kind in (ENTITY, ATTRIBUTE)
    return tokens[at].kind == "w" and _LABEL.match(tokens[at].text) is not None and not counts


def _take(tokens: list[Token], between: range, at: int, form: Form) -> None:
    for j in between:
        if tokens[j].text in _RANGE:
            tokens[j].kind = "&"
    tokens[at].kind, tokens[at].form = PLACE, form
