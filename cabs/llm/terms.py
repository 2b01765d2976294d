"""What the ontology knows, as an answer needs it: closed lists, organs by any of their names, known words."""

from __future__ import annotations

from functools import lru_cache

from cabs.ontology import Ontology
from cabs.parsing.parser import parser_of
from cabs.parsing.scan import ENTITY, PLACE, STATE
from cabs.parsing.sections import Stretch
from cabs.parsing.sentences import Sentence
from cabs.scoring.quoted import QuoteReader
from cabs.values import Section, Span

UNKNOWN = "unknown"
"""What an answer says for an organ that is not listed."""


class Terms:
    """Looks words of answers up in an ontology. Thread-safe."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.rules = parser_of(ontology)
        self.quotes = QuoteReader(ontology)
        self._organs = {label: o.id for o in ontology.organs.values() for label in _names(o.id, o.label)}

    @property
    def organs(self) -> tuple[str, ...]:
        """The ids of the organ axis."""
        return tuple(self.ontology.organs)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of attributes."""
        return tuple(self.ontology.attribute_kinds)

    def organ(self, said: str) -> str | None:
        """The organ of a name; None where it is unknown. Plain plurals are understood."""
        name = " ".join(said.lower().replace("_", " ").split())
        return self._organs.get(name) or self._organs.get(name.removesuffix("s"))

    def knows(self, words: str) -> bool:
        """Whether there is a word for a finding or a place in them."""
        tokens = self.rules.tokens(words, Sentence(0, len(words), ""))
        return any(token.kind in (ENTITY, STATE, PLACE) for token in tokens)

    def stretches(self, text: str) -> list[Stretch]:
        """The stretches of a report that are read: findings and impression."""
        return self.rules.stretches(text)


def section_at(stretches: list[Stretch], span: Span) -> Section | None:
    """The section in which characters begin, None where nothing is read there."""
    for stretch in stretches:
        if stretch.start <= span.start < stretch.end:
            return "impression" if stretch.role == "impression" else "findings"
    return None


def _names(id: str, label: str) -> tuple[str, str]:
    return id.replace("_", " "), label.lower()


@lru_cache(maxsize=4)
def terms_of(ontology: Ontology) -> Terms:
    """The terms of an ontology, made once."""
    return Terms(ontology)
