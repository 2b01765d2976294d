"""The ontology compiled for scanning: every surface form with all that it can mean, and one automaton over them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import ahocorasick

from cabs.ontology import Ontology
from cabs.ontology.building import building
from cabs.ontology.model import Entity, Structure
from cabs.parsing.form import Cue, Form, Pattern, Reading
from cabs.parsing.form_places import FormPlaces
from cabs.parsing.form_sides import FormSides
from cabs.parsing.misspelling import Misspellings
from cabs.parsing.view import lowered, matchable
from cabs.values import Side

_SIDES: dict[str, Side] = {side: side for side in get_args(Side)}
"""The cues of sides that say one themselves; the others ("ipsilateral") are seen from what is named before."""


class Lexicon:
    """The compiled surface forms of an ontology. Build once, share between threads (it is never changed)."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._lower: dict[str, Form] = {}
        self._upper: dict[str, Form] = {}
        with building():
            self._build()

    def _build(self) -> None:
        ontology = self.ontology
        for fill in (self._entities, self._structures, self._attributes, self._rules, self._abbreviations):
            fill()
        self._copulas()
        self._defaults()
        self._nouns()
        self._measured()
        FormSides(ontology, self._lower, self._upper).write()
        FormPlaces(ontology, self._lower, self._upper).write()
        self.patterns = [
            Pattern(re.compile(p.regex, re.IGNORECASE), p.needs, p.kind, p.value) for p in ontology.attribute_patterns
        ]
        words = {word for text in self._lower for word in text.split()}
        self.misspellings = Misspellings(words, ontology.spelling.everyday, ontology.opposites)
        self.automaton = ahocorasick.Automaton()
        for text in self._lower.keys() | self._upper.keys():
            self.automaton.add_word(text, (len(text), self._lower.get(text), self._upper.get(text)))
        self.automaton.make_automaton()

    def form(self, text: str, capitals: bool = False) -> Form:
        """The record of a form, made if it is new. `text` is as `matchable` gives it."""
        table = self._upper if capitals else self._lower
        form = table.get(text)
        if form is None:
            form = table[text] = Form(text, capitals=capitals)
        return form

    def place(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a place, whatever number their noun has; else None."""
        for words in (text, " ".join(map(self.ontology.spelling.singular, text.split()))):
            form = self._lower.get(words)
            if form is not None and form.places and not form.entities:
                return form
        return None

    def finding(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a finding; else None."""
        form = self._lower.get(text)
        return form if form is not None and form.entities else None

    def stated(self, text: str) -> Form | None:
        """The form of these lower-case words if they name a finding or state one as a predicate; else None."""
        form = self._lower.get(text)
        return form if form is not None and (form.entities or form.predicates) else None

    def side(self, side: str) -> Form:
        """The form of a side's own word."""
        return self._lower[side]

    def _named(self, record: Entity | Structure) -> Iterator[Form]:
        for surface in self.ontology.surface_forms(record):
            yield self.form(surface.text.lower() if surface.capitals else surface.text, surface.capitals)

    def _forms(self, words: tuple[str, ...]) -> Iterator[Form]:
        for variant in self.ontology.variants(words):
            yield self.form(variant)

    def _entities(self) -> None:
        for entity in self.ontology.entities.values():
            if entity.kind == "root":
                continue
            generic = not entity.organs and entity.finding is None
            for form in self._named(entity):
                form.generic = generic if not form.entities else form.generic and generic
                if entity.id not in form.entities:
                    form.entities += (entity.id,)
            for form in self._forms(entity.predicates):
                form.predicates += (entity.id,)
                if entity.predicate_attribute:
                    form.attributes += (entity.predicate_attribute,)
            for form in self._forms(entity.blocked):
                form.blocks += (entity.id,)

    def _structures(self) -> None:
        for structure in self.ontology.structures.values():
            for form in (*self._named(structure), *self._forms(tuple(self._numbered(structure.forms)))):
                if structure.id not in form.places:
                    form.places += (structure.id,)
            for form in self._forms((*structure.adjectives, *self._numbered(structure.adjectives))):
                form.adjective = form.adjective or not form.places
                if structure.id not in form.places:
                    form.places += (structure.id,)

    def _numbered(self, adjectives: tuple[str, ...]) -> Iterator[str]:
        """Labelled places with their noun in the plural, as a list of them starts ("stations 2L and 7")."""
        for text in adjectives:
            noun, _, label = text.partition(" ")
            if label[:1].isdigit() and " " not in label:
                yield from (f"{plural} {label}" for plural in self.ontology.spelling.plural(noun.lower()))

    def _copulas(self) -> None:
        """A predicate with a verb says of a finding what its word alone says ("is small" of an effusion)."""
        for form in self._lower.values():
            verb, _, word = form.text.partition(" ")
            plain = self._lower.get(word) if form.predicates and verb in ("is", "are") else None
            if plain is not None and not form.attributes:
                form.attributes = plain.attributes

    def _defaults(self) -> None:
        """Puts the ids of a shared form in the order of the ontology: the first one is the default."""
        for shared in self.ontology.ambiguous:
            for variant in self.ontology.variants((shared.form,), noun=True):
                form = self._lower.get(variant)
                if form is not None:
                    form.entities = _ordered(form.entities, shared.ids)
                    form.places = _ordered(form.places, shared.ids)

    def _nouns(self) -> None:
        """An adjective that ends with the noun it waits for is a noun ("station 7 | node")."""
        for form in self._lower.values():
            noun = self._lower.get(form.text.split()[-1]) if form.adjective and " " in form.text else None
            if noun is not None and noun.places and not noun.adjective:
                form.adjective = not any(self.ontology.contains(noun.places[0], place) for place in form.places)

    def _measured(self) -> None:
        """Place nouns whose size alone makes an abnormality (a lymph node of 10 mm)."""
        for entity in self.ontology.entities.values():
            if entity.measured_from is None:
                continue
            structures = self.ontology.structures
            within = {i for i in structures if any(self.ontology.contains(p, i) for p in entity.places)}
            for form in self._lower.values():
                if not form.adjective and form.places[:1] and form.places[0] in within:
                    form.measured = (entity.id, entity.measured_from)

    def _attributes(self) -> None:
        for kind in self.ontology.attribute_kinds.values():
            for value in kind.values.values():
                for form in self._forms(value.forms):
                    if (kind.kind, value.value) not in form.attributes:
                        form.attributes += ((kind.kind, value.value),)

    def _rules(self) -> None:
        for rule in self.ontology.rules:
            cue = Cue(rule.cls, rule.value, rule.direction, rule.reach, rule.id)
            letters = [self.form(f.lower(), capitals=True) for f in rule.forms if len(f) == 1 and f.isalpha()]
            for form in (*letters, *self._forms(tuple(f for f in rule.forms if len(f) > 1 or not f.isalpha()))):
                if rule.cls == "side" and rule.value in _SIDES:
                    form.side = _SIDES[rule.value]
                elif cue not in form.cues:
                    form.cues += (cue,)

    def _abbreviations(self) -> None:
        for rule in self.ontology.abbreviation_rules:
            form = self.form(
                matchable(lowered(rule.abbr))[0], capitals=rule.abbr.lower() in self.ontology.spelling.ordinary
            )
            meaning = Form(form.text)
            if rule.reading in self.ontology.entities:
                meaning.entities = (rule.reading,)
            else:
                meaning.places = (rule.reading,)
            form.readings += (Reading(_words(rule.when), _words(rule.unless), meaning),)

    def meaning(self, form: Form, low: str) -> Form:
        """The form as it is meant in this lower-case text: an ambiguous abbreviation becomes one of its readings."""
        if not form.readings:
            return form
        return next((r.form for r in form.readings if r.holds(low)), form)


def _ordered(ids: tuple[str, ...], first: tuple[str, ...]) -> tuple[str, ...]:
    return (*(id for id in first if id in ids), *(id for id in ids if id not in first))


def _words(words: tuple[str, ...]) -> re.Pattern[str] | None:
    if not words:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(w.lower()) for w in words)})(?!\w)")
