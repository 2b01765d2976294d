"""A text → its form: what the records that list it make of it, and what only all of them together tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from cabs.ontology import Ontology
from cabs.parsing.form import Form
from cabs.parsing.form_places import FormPlaces
from cabs.parsing.form_sides import FormSides, SideWords
from cabs.parsing.listings import Listings, Write

_COPULAS = ("is", "are")
_WORDS = 1024


class Forms:
    """The forms of an ontology, each made when it is first asked for and then kept; share it between threads.

    Texts are lower case, as `matchable` gives them. A form may look at forms of fewer words, or of fewer letters,
    never the other way round.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._listings = Listings(ontology)
        self._lower: dict[str, Form] = {}
        self._upper: dict[str, Form] = {}
        self.made: dict[str, tuple[Form | None, Form | None]] = {}
        self._earlier = lru_cache(_WORDS)(self._holding)
        self._defaults = _defaults(ontology)
        self._measured = _measured(ontology)
        self._sides = FormSides(ontology, self.lower, self.upper, self._said(), self._before)
        self._places = FormPlaces(ontology, self.lower, self.upper)

    @property
    def texts(self) -> Collection[str]:
        """The texts of the forms in any letters."""
        return self._listings.lower.keys()

    @property
    def in_capitals(self) -> Collection[str]:
        """The texts of the forms that count in capitals alone."""
        return self._listings.upper.keys()

    def lower(self, text: str) -> Form | None:
        """The form of a text in any letters; None where there is none."""
        form = self._lower.get(text)
        if form is None and (writes := self._listings.lower.get(text)) is not None:
            form = self._lower.setdefault(text, self._finished(_written(text, writes)))
        return form

    def upper(self, text: str) -> Form | None:
        """The form of a text that counts in capitals alone; None where there is none."""
        form = self._upper.get(text)
        if form is None and (writes := self._listings.upper.get(text)) is not None:
            form = self._upper.setdefault(text, self._sided(_written(text, writes, capitals=True)))
        return form

    def either(self, text: str) -> tuple[Form | None, Form | None]:
        """The form of a text in any letters and the one in capitals."""
        found = self.made.get(text)
        if found is None:
            found = self.lower(text), self.upper(text)
            if found != (None, None):
                self.made[text] = found
        return found

    def _finished(self, form: Form) -> Form:
        self._copula(form)
        for ids in self._defaults.get(form.text, ()):
            form.entities, form.places = _ordered(form.entities, ids), _ordered(form.places, ids)
        self._noun(form)
        if form.places and not form.adjective:
            form.measured = self._measured.get(form.places[0])
        self._sided(form)
        self._places.write(form)
        return form

    def _sided(self, form: Form) -> Form:
        self._sides.write(form)
        return form

    def _said(self) -> SideWords:
        """The words and the letters that are nothing but a side."""
        rules = (rule for rule in self._ontology.rules if rule.cls == "side")
        texts = [text for rule in rules for text in self._ontology.variants(rule.forms) if " " not in text]
        words, letters = (
            {text: side for text in texts if (side := _written(text, table.get(text, ())).side)}
            for table in (self._listings.lower, self._listings.upper)
        )
        return SideWords(words, letters)

    def _before(self, a: Form, b: Form) -> bool:
        """True where the form of a word is listed before another form that holds the word."""
        if a.capitals != b.capitals:
            return b.capitals
        return b.text not in self._earlier(a.text, a.capitals)

    def _holding(self, word: str, capitals: bool) -> frozenset[str]:
        """The texts that hold a word and are listed before it. Few words are asked for: they cost less than the ranks
        of all texts."""
        texts = list(self.in_capitals if capitals else self.texts)
        return frozenset([text for text in texts[: texts.index(word)] if word in text])

    def _copula(self, form: Form) -> None:
        """A predicate with a verb says of a finding what its word alone says ("is small" of an effusion)."""
        verb, _, word = form.text.partition(" ")
        plain = self.lower(word) if form.predicates and verb in _COPULAS else None
        if plain is not None and not form.attributes:
            form.attributes = plain.attributes

    def _noun(self, form: Form) -> None:
        """An adjective that ends with the noun it waits for is a noun ("station 7 | node")."""
        noun = self.lower(form.text.rpartition(" ")[2]) if form.adjective and " " in form.text else None
        if noun is not None and noun.places and not noun.adjective:
            form.adjective = not any(self._ontology.contains(noun.places[0], place) for place in form.places)


def _written(text: str, writes: tuple[Write, ...], capitals: bool = False) -> Form:
    form = Form(text, capitals=capitals)
    for write in writes:
        write(form)
    return form


def _defaults(ontology: Ontology) -> Mapping[str, list[tuple[str, ...]]]:
    """The ids of shared forms in the order of the ontology: the first one is the default."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for shared in ontology.ambiguous:
        for text in ontology.variants((shared.form,), noun=True):
            found.setdefault(text, []).append(shared.ids)
    return found


def _ordered(ids: tuple[str, ...], first: tuple[str, ...]) -> tuple[str, ...]:
    return (*(id for id in first if id in ids), *(id for id in ids if id not in first))


def _measured(ontology: Ontology) -> Mapping[str, tuple[str, float]]:
    """Places whose size alone makes an abnormality (a lymph node of 10 mm): the entity, and from which size on."""
    return {
        place: (entity.id, entity.measured_from)
        for entity in ontology.entities.values()
        if entity.measured_from is not None
        for place in ontology.structures
        if any(ontology.contains(around, place) for around in entity.places)
    }
