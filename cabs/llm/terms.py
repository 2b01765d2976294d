"""What the ontology knows, as an answer needs it: closed lists, organs by any of their names, known words."""

from __future__ import annotations

from functools import lru_cache

from cabs.llm.quotes import words_of
from cabs.matching import Matcher
from cabs.ontology import Ontology
from cabs.parsing.parser import parser_of
from cabs.parsing.scan import ATTRIBUTE, ENTITY, PLACE, SIDE, STATE, Token
from cabs.parsing.sections import Stretch
from cabs.parsing.sentences import Sentence
from cabs.scoring.quoted import QuoteReader
from cabs.studies.coverage.phrases import sentence_coverage
from cabs.values import OTHER, Section, Span

UNKNOWN = "unknown"
"""What an answer says for an organ that is not listed."""


class Terms:
    """Looks words of answers up in an ontology. Thread-safe."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.rules = parser_of(ontology)
        self.quotes, self.matcher = QuoteReader(ontology), Matcher(ontology)
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
        return any(token.kind in (ENTITY, STATE, PLACE) for token in self._tokens(words))

    def unexplained(self, words: str) -> bool:
        """Whether there is such a word, and beside it words that the rules do not know and that name something."""
        phrases = sentence_coverage(self._tokens(words)).phrases
        return self.knows(words) and any(phrase.role != "modifier" for phrase in phrases)

    def telling(self, name: str) -> tuple[str, ...]:
        """The words of a name that tell more than a place, a side or a quality, in the singular."""
        return tuple(word.removesuffix("s") for word in words_of(name) if not self._only_where(word))

    def kind_of(self, entity: str, other: str) -> bool:
        """Whether an entity is another one or a kind of it. What the ontology lacks is no kind of anything."""
        if OTHER in (entity, other):
            return False
        return entity == other or self.ontology.is_a(entity, other)

    def _only_where(self, word: str) -> bool:
        kinds = {token.kind for token in self._tokens(word)}
        return kinds <= {PLACE, SIDE, ATTRIBUTE}

    def _tokens(self, words: str) -> list[Token]:
        return self.rules.tokens(words, Sentence(0, len(words), ""))

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
