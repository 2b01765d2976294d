"""Every surface form of an ontology → the records that list it, in the order in which they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import get_args

from cabs.ontology import Ontology
from cabs.ontology.model import Entity, Structure
from cabs.ontology.rules import AbbreviationRule, ContextRule
from cabs.parsing.form import Cue, Form, Reading, whole_words
from cabs.parsing.view import lowered, matchable
from cabs.values import Side

Write = Callable[[Form], None]
"""Writes to a form what one record means by it."""
Listed = dict[str, tuple[Write, ...]]

_SIDES: dict[str, Side] = {side: side for side in get_args(Side)}
"""The cues of sides that say one themselves; the others ("ipsilateral") are seen from what is named before."""


class Listings:
    """Which records list a text: `lower` in any letters, `upper` in capitals only (as lower-case texts).

    Forms are many and reports use few of them, so what a form means is written when a report first uses it.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._lower: Listed = {}
        self._upper: Listed = {}
        for fill in (self._entities, self._structures, self._attributes, self._rules, self._abbreviations):
            fill()

    @property
    def lower(self) -> Mapping[str, tuple[Write, ...]]:
        """The forms in any letters."""
        return self._lower

    @property
    def upper(self) -> Mapping[str, tuple[Write, ...]]:
        """The forms in capitals."""
        return self._upper

    def _list(self, texts: Iterable[str], write: Write, capitals: bool = False) -> None:
        """Adds a record to what is known of these texts."""
        table = self._upper if capitals else self._lower
        new: Listed = dict.fromkeys(texts, (write,))  # one tuple for all: most texts are listed once
        for text in [text for text in new if text in table]:
            new[text] = (*table[text], write)
        table.update(new)

    def _named(self, record: Entity | Structure, write: Write) -> None:
        self._list(self._ontology.variants((record.label, *record.forms), noun=True), write)
        for surface in self._ontology.spelling.short(record.abbreviations):
            self._list((surface.text.lower(),), write, surface.capitals)

    def _spelt(self, texts: tuple[str, ...], write: Write) -> None:
        self._list(self._ontology.variants(texts), write)

    def _entities(self) -> None:
        for entity in self._ontology.entities.values():
            if entity.kind != "root":
                self._named(entity, _name(entity))
                self._spelt(entity.predicates, _predicate(entity))
                self._spelt(entity.blocked, _block(entity.id))

    def _structures(self) -> None:
        for structure in self._ontology.structures.values():
            write = _place(structure.id)
            self._named(structure, write)
            self._spelt(tuple(self._numbered(structure.forms)), write)
            adjectives = (*structure.adjectives, *self._numbered(structure.adjectives))
            self._spelt(adjectives, _adjective(structure.id))

    def _numbered(self, adjectives: tuple[str, ...]) -> Iterator[str]:
        """Labelled places with their noun in the plural, as a list of them starts ("stations 2L and 7")."""
        for text in adjectives:
            noun, _, label = text.partition(" ")
            if label[:1].isdigit() and " " not in label:
                yield from (f"{plural} {label}" for plural in self._ontology.spelling.plural(noun.lower()))

    def _attributes(self) -> None:
        for kind in self._ontology.attribute_kinds.values():
            for value in kind.values.values():
                self._spelt(value.forms, _attribute((kind.kind, value.value)))

    def _rules(self) -> None:
        for rule in self._ontology.rules:
            write = _rule(rule)
            for form in rule.forms:
                if len(form) == 1 and form.isalpha():
                    self._list((form.lower(),), write, capitals=True)
            self._spelt(tuple(f for f in rule.forms if len(f) > 1 or not f.isalpha()), write)

    def _abbreviations(self) -> None:
        for rule in self._ontology.abbreviation_rules:
            capitals = rule.abbr.lower() in self._ontology.spelling.ordinary
            self._list((matchable(lowered(rule.abbr))[0],), self._reading(rule), capitals)

    def _reading(self, rule: AbbreviationRule) -> Write:
        when, unless = whole_words(rule.when), whole_words(rule.unless)
        names = rule.reading in self._ontology.entities

        def write(form: Form) -> None:
            ids = (rule.reading,)
            meaning = Form(form.text, entities=ids) if names else Form(form.text, places=ids)
            form.readings += (Reading(when, unless, meaning),)

        return write


def _name(entity: Entity) -> Write:
    generic = not entity.organs and entity.finding is None

    def write(form: Form) -> None:
        form.generic = generic if not form.entities else form.generic and generic
        form.entities = _with(form.entities, entity.id)

    return write


def _predicate(entity: Entity) -> Write:
    def write(form: Form) -> None:
        form.predicates += (entity.id,)
        if entity.predicate_attribute:
            form.attributes += (entity.predicate_attribute,)

    return write


def _block(id: str) -> Write:
    def write(form: Form) -> None:
        form.blocks += (id,)

    return write


def _place(id: str) -> Write:
    def write(form: Form) -> None:
        form.places = _with(form.places, id)

    return write


def _adjective(id: str) -> Write:
    def write(form: Form) -> None:
        form.adjective = form.adjective or not form.places
        form.places = _with(form.places, id)

    return write


def _attribute(said: tuple[str, str]) -> Write:
    def write(form: Form) -> None:
        if said not in form.attributes:
            form.attributes += (said,)

    return write


def _rule(rule: ContextRule) -> Write:
    cue = Cue(rule.cls, rule.value, rule.direction, rule.reach, rule.id)

    def write(form: Form) -> None:
        if rule.cls == "side" and rule.value in _SIDES:
            form.side = _SIDES[rule.value]
        elif cue not in form.cues:
            form.cues += (cue,)

    return write


def _with(ids: tuple[str, ...], id: str) -> tuple[str, ...]:
    return ids if id in ids else (*ids, id)
