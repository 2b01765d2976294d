"""One noun for several adjectives → each with its noun: "lytic or blastic lesion", "sternal, left scapular and rib
fractures"."""

from __future__ import annotations

from collections.abc import Callable

from cabs.parsing.form import Form
from cabs.parsing.scan import ATTRIBUTE, ENTITY, SIDE, Token

EntityForm = Callable[[str], Form | None]
"""The form of a finding's words; None where they name none."""


def with_nouns(tokens: list[Token], entity: EntityForm) -> list[Token]:
    """The tokens of a sentence; a word that shares the noun of a finding behind its conjunction is a finding itself
    where the ontology lists it with that noun (in place). A comma joins only what is shared further on."""
    shared: set[int] = set()
    for i in range(len(tokens) - 3, -1, -1):
        if tokens[i + 1].kind != "&" or tokens[i].kind == ENTITY:
            continue
        at = next((j for j in range(i + 2, len(tokens)) if tokens[j].kind not in (SIDE, ATTRIBUTE)), i)
        head = tokens[at]
        if head.kind != ENTITY or head.form is None or (tokens[i + 1].text == "," and at not in shared):
            continue
        if (form := _full(tokens[i].text, head.form.text, entity)) is not None:
            tokens[i] = Token(ENTITY, tokens[i].start, tokens[i].end, tokens[i].text, form)
            shared.add(i)
    return tokens


def _full(word: str, name: str, entity: EntityForm) -> Form | None:
    """The form of a word with the noun of a name, the longest end of it first."""
    words = name.split()
    ends = (" ".join(words[n:]) for n in range(1, len(words)))
    return next((form for end in ends if (form := entity(f"{word.replace('-', ' ')} {end}")) is not None), None)
