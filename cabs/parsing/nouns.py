"""One noun for two adjectives → each with its noun: "lytic or blastic lesion", "small or large bowel obstruction"."""

from __future__ import annotations

from collections.abc import Callable

from cabs.parsing.lexicon import Form
from cabs.parsing.scan import ENTITY, Token

EntityForm = Callable[[str], Form | None]
"""The form of a finding's words; None where they name none."""


def with_nouns(tokens: list[Token], entity: EntityForm) -> list[Token]:
    """The tokens of a sentence; a word that shares the noun of a finding behind its conjunction is a finding itself
    where the ontology lists it with that noun (in place)."""
    for i in range(len(tokens) - 3, -1, -1):
        first, head = tokens[i], tokens[i + 2]
        if tokens[i + 1].kind != "&" or tokens[i + 1].text == "," or head.kind != ENTITY or head.form is None:
            continue
        if first.kind != ENTITY and (form := _full(first.text, head.form.text, entity)) is not None:
            tokens[i] = Token(ENTITY, first.start, first.end, first.text, form)
    return tokens


def _full(word: str, name: str, entity: EntityForm) -> Form | None:
    """The form of a word with the noun of a name, the longest end of it first."""
    words = name.split()
    ends = (" ".join(words[n:]) for n in range(1, len(words)))
    return next((form for end in ends if (form := entity(f"{word.replace('-', ' ')} {end}")) is not None), None)
