"""The lint of names: what two concepts both claim, what does not resolve to itself, foreign ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cabs.ontology.model import Entity, Structure
from cabs.ontology.names import Names
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem
from cabs.values import OTHER

VOCABULARIES = {
    "UBERON": re.compile(r"UBERON:\d{7}"),
    "RADLEX": re.compile(r"RID\d+"),
    "FMA": re.compile(r"FMA:\d+"),
    "HP": re.compile(r"HP:\d{7}"),
    "MONDO": re.compile(r"MONDO:\d{7}"),
    "DOID": re.compile(r"DOID:\d+"),
    "OIFM": re.compile(r"OIFM_[A-Z]+_\d{6}"),
}
"""The vocabularies whose licences let their identifiers be shipped, and how an identifier looks."""

Named = tuple[str, Entity | Structure]


def names(ontology: Ontology) -> list[Problem]:
    """Problems of labels, forms, distinct pairs and foreign ids."""
    return [*_labels(ontology), *_forms(ontology), *_own(ontology), *_distinct(ontology), *_xrefs(ontology)]


def _named(ontology: Ontology) -> Iterator[Named]:
    yield from (("anatomy", structure) for structure in ontology.structures.values())
    yield from (("entities", entity) for entity in ontology.entities.values())


def _labels(ontology: Ontology) -> Iterator[Problem]:
    keys = Names(ontology.spelling)
    seen: dict[tuple[str, str], str] = {}
    for kind, record in _named(ontology):
        first = seen.setdefault((kind, keys.key(record.label)), record.id)
        if first != record.id:
            yield Problem(ontology.files[kind, record.id], record.id, f"label: {record.label!r} is also {first}'s")


def _forms(ontology: Ontology) -> Iterator[Problem]:
    """A form that two records claim, unless it is listed with both. Adjectives of places may be shared."""
    keys = Names(ontology.spelling)
    listed = shared(ontology, keys)
    owners: dict[str, Named] = {}
    for kind, record in _named(ontology):
        for form in (record.label, *record.forms, *record.abbreviations):
            key = keys.key(form)
            first = owners.setdefault(key, (kind, record))[1]
            if first.id != record.id and not {first.id, record.id} <= listed.get(key, frozenset()):
                message = f"{form!r} is also a form of {first.id}; drop one, or list it in ambiguous.yaml"
                yield Problem(ontology.files[kind, record.id], record.id, message)


def shared(ontology: Ontology, keys: Names) -> dict[str, frozenset[str]]:
    """The forms that are listed as ambiguous, with the ids that share them."""
    listed: dict[str, set[str]] = {}
    for form in ontology.ambiguous:
        listed.setdefault(keys.key(form.form), set()).update(form.ids)
    for rule in ontology.abbreviation_rules:
        listed.setdefault(keys.key(rule.abbr), set()).add(rule.reading)
    return {key: frozenset(ids) for key, ids in listed.items()}


def _own(ontology: Ontology) -> Iterator[Problem]:
    """Every label and form resolves to its own entity, unless another one has it too."""
    keys = Names(ontology.spelling)
    owners = {key: set(ids) for key, ids in shared(ontology, keys).items()}
    for _, record in _named(ontology):
        for form in (record.label, *record.forms, *record.abbreviations):
            owners.setdefault(keys.key(form), set()).add(record.id)
    for entity in ontology.entities.values():
        nameless = entity.kind == "root" or entity.id == OTHER
        for form in () if nameless else (entity.label, *entity.forms, *entity.abbreviations):
            found = ontology.resolve(form)
            if found not in owners[keys.key(form)]:
                yield Problem(ontology.files["entities", entity.id], entity.id, f"{form!r} resolves to {found}")


def _distinct(ontology: Ontology) -> Iterator[Problem]:
    for pair in ontology.distinct:
        found = ontology.resolve(pair.a)
        if found is not None and found == ontology.resolve(pair.b):
            message = f"both names resolve to {found}, but are listed as distinct: {pair.why}"
            yield Problem("distinct.yaml", f"{pair.a} = {pair.b}", message)


def _xrefs(ontology: Ontology) -> Iterator[Problem]:
    for kind, record in _named(ontology):
        for vocabulary, identifier in record.xrefs.items():
            pattern = VOCABULARIES.get(vocabulary)
            if pattern is None:
                message = f"xrefs: {vocabulary} can't be shipped; allowed are {', '.join(VOCABULARIES)}"
            elif not pattern.fullmatch(identifier):
                message = f"xrefs: {identifier!r} is no identifier of {vocabulary}"
            else:
                continue
            yield Problem(ontology.files[kind, record.id], record.id, message)
