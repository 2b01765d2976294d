"""The lint of names: what two concepts both claim, what does not resolve to itself, foreign ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from cabs.ontology.model import Entity, Structure
from cabs.ontology.names import Names
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem, problem
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
_Record = TypeVar("_Record", Entity, Structure)


def names(ontology: Ontology) -> list[Problem]:
    """Problems of labels, forms, distinct pairs and foreign ids."""
    return [told for check in (_labels, _wordless, _forms, _own, _distinct, _xrefs) for told in check(ontology)]


def _named(ontology: Ontology) -> Iterator[Named]:
    yield from (("anatomy", structure) for structure in ontology.structures.values())
    yield from (("entities", entity) for entity in ontology.entities.values())


def by_depth(ontology: Ontology, kind: str, records: Iterable[_Record]) -> list[_Record]:
    """Records of the ontology itself before those of the folders laid over it, whose author can mend them."""
    return sorted(records, key=lambda record: ontology.origins[kind, record.id].depth)


def _claims(ontology: Ontology, labels: bool) -> list[tuple[str, Entity | Structure, str]]:
    """Kind, record and name of every label, or of every name, those that an extra folder brings in last."""
    claims = [
        (kind, record, name)
        for kind, record in _named(ontology)
        for name in ((record.label,) if labels else (record.label, *record.forms, *record.abbreviations))
    ]
    return sorted(claims, key=lambda claim: ontology.origins[claim[0], claim[1].id].where(claim[2]).depth)


def _labels(ontology: Ontology) -> Iterator[Problem]:
    keys = Names(ontology.spelling)
    seen: dict[tuple[str, str], str] = {}
    for kind, record, label in _claims(ontology, labels=True):
        first = seen.setdefault((kind, keys.key(label)), record.id)
        if first != record.id:
            yield problem(ontology, kind, record.id, f"label: {label!r} is also {first}'s", text=label)


def _forms(ontology: Ontology) -> Iterator[Problem]:
    """A form that two records claim, unless it is listed with both. Adjectives of places may be shared."""
    keys = Names(ontology.spelling)
    listed = shared(ontology, keys)
    owners: dict[str, str] = {}
    for kind, record, form in _claims(ontology, labels=False):
        if not keys.words(form):
            continue  # told by `_wordless`
        key = keys.key(form)
        first = owners.setdefault(key, record.id)
        if first != record.id and not {first, record.id} <= listed.get(key, frozenset()):
            message = f"{form!r} is also a form of {first}; drop one, or list it in ambiguous.yaml"
            yield problem(ontology, kind, record.id, message, text=form)


def _wordless(ontology: Ontology) -> Iterator[Problem]:
    """Names that hold only words that count in no name: nobody can mean one thing by them."""
    keys = Names(ontology.spelling)
    said = "holds only words that count in no name; drop it, or add one that does"
    for kind, record, form in _claims(ontology, labels=False):
        if not keys.words(form):
            yield problem(ontology, kind, record.id, f"{form!r} {said}", text=form)
    for values in ontology.attribute_kinds.values():
        for value in values.values.values():
            for form in value.forms:
                if not keys.words(form):
                    yield problem(ontology, "attributes", values.kind, f"{value.value}: {form!r} {said}", text=form)


def plurals(ontology: Ontology) -> Iterator[Problem]:
    """Labels of extra folders that look like plurals. No fault, since some names have no singular."""
    for kind, record in _named(ontology):
        layer = ontology.origins[kind, record.id].where(record.label)
        head = record.label.split(" of ")[0].split()[-1:]
        if layer.depth and any(ontology.spelling.singular(word) != word for word in head):
            message = f"label: {record.label!r} looks like a plural; plurals are made from the singular"
            yield problem(ontology, kind, record.id, message, text=record.label)


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
            if keys.words(form) and found not in owners[keys.key(form)]:
                message = f"{form!r} resolves to {found}; drop it, or list it in ambiguous.yaml"
                yield problem(ontology, "entities", entity.id, message, text=form)


def _distinct(ontology: Ontology) -> Iterator[Problem]:
    for pair in ontology.distinct:
        found = ontology.resolve(pair.a)
        if found is not None and found == ontology.resolve(pair.b):
            why = f": {pair.why}" if pair.why else ""
            message = f"both names resolve to {found}, but are listed as distinct{why}"
            yield problem(ontology, "distinct", pair, message, name=f"{pair.a} = {pair.b}")


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
            yield problem(ontology, kind, record.id, message, text=identifier)
