"""What is wrong with an ontology: every contradiction, dangling id, unlisted ambiguity and rule without
examples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from cabs.errors import OntologyError
from cabs.ontology.hierarchy import Tree
from cabs.ontology.lint_names import names
from cabs.ontology.lint_rules import rules
from cabs.ontology.load import assemble
from cabs.ontology.model import Entity, Structure
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem
from cabs.values import OTHER


def lint(path: str | Path | None = None, extra: tuple[str, ...] = ()) -> list[Problem]:
    """Every problem of an ontology folder, in the order of the files; [] for a clean one."""
    problems: list[Problem] = []
    try:
        ontology = assemble(path, extra, problems)
    except OntologyError as error:
        return [*problems, Problem(error.place, "", error.message)]
    problems += references(ontology)
    problems += names(ontology)
    problems += rules(ontology)
    return sorted(set(problems))


def references(ontology: Ontology) -> list[Problem]:
    """Ids that don't exist, cycles, and records that contradict each other."""
    found: list[Problem] = []
    for check in (_organs, _structures, _entities, _decompositions, _attributes, _targets):
        found += check(ontology)
    return found


def _problem(ontology: Ontology, kind: str, id: str, message: str) -> Problem:
    return Problem(ontology.files.get((kind, id), f"{kind}.yaml"), id, message)


def _organs(ontology: Ontology) -> Iterator[Problem]:
    used = {s.organ for s in ontology.structures.values()}
    used |= {organ for entity in ontology.entities.values() for organ in entity.organs}
    for organ in ontology.organs.values():
        if organ.id not in used:
            yield _problem(ontology, "organs", organ.id, "no structure or entity has this organ")
        for id in organ.structures:
            if id not in ontology.structures:
                yield _problem(ontology, "organs", organ.id, f"structures: unknown structure {id}")
            elif ontology.organ_of(id) != organ.id:
                yield _problem(ontology, "organs", organ.id, f"{id} has the organ {ontology.organ_of(id)}")


def _structures(ontology: Ontology) -> Iterator[Problem]:
    tree = Tree({structure.id: structure.parent for structure in ontology.structures.values()})
    for structure in ontology.structures.values():
        for message in _structure(ontology, structure):
            yield _problem(ontology, "anatomy", structure.id, message)
        if tree.cycle(structure.id):
            yield _problem(ontology, "anatomy", structure.id, "parent: goes in a circle")


def _structure(ontology: Ontology, structure: Structure) -> Iterator[str]:
    parent = ontology.structures.get(structure.parent or "")
    if structure.parent is not None and parent is None:
        yield f"parent: unknown structure {structure.parent}"
    if (structure.relation == "root") != (structure.parent is None):
        yield "relation: a root has no parent, and only a root"
    if structure.organ is not None and structure.organ not in ontology.organs:
        yield f"organ: unknown organ {structure.organ}"
    if parent is not None and {structure.side, parent.side} == {"right", "left"}:
        yield f"side: {structure.side}, within {parent.id}, which is {parent.side}"


def _entities(ontology: Ontology) -> Iterator[Problem]:
    if OTHER not in ontology.entities:
        yield Problem("entities", OTHER, "is missing; it stands for what the ontology doesn't know")
    tree = Tree({entity.id: entity.parent for entity in ontology.entities.values()})
    for entity in ontology.entities.values():
        if tree.cycle(entity.id):
            yield _problem(ontology, "entities", entity.id, "parent: goes in a circle")
        for message in (*_entity(ontology, entity), *_entity_places(ontology, entity)):
            yield _problem(ontology, "entities", entity.id, message)


def _entity(ontology: Ontology, entity: Entity) -> Iterator[str]:
    if entity.parent is not None and entity.parent not in ontology.entities:
        yield f"parent: unknown entity {entity.parent}"
    if entity.parent is None and entity.kind != "root" and entity.id != OTHER:
        yield "parent: missing; only a root has none"
    yield from (f"organs: unknown organ {organ}" for organ in entity.organs if organ not in ontology.organs)
    if entity.predicate_attribute is not None:
        kind, value = entity.predicate_attribute
        if kind not in ontology.attribute_kinds or value not in ontology.attribute_kinds[kind].values:
            yield f"predicate_attribute: unknown value {value} of {kind}"
        if not entity.predicates:
            yield "predicate_attribute: there are no predicates"


def _entity_places(ontology: Ontology, entity: Entity) -> Iterator[str]:
    for finding in (*filter(None, (entity.finding,)), *entity.other_findings):
        if finding not in ontology.entities:
            yield f"finding: unknown entity {finding}"
    if entity.other_findings and entity.finding is None:
        yield "other_findings: there is no finding"
    if (entity.finding is None) != (not entity.places):
        yield "finding, places: one without the other"
    for place in (*entity.places, *filter(None, (entity.default_place,))):
        if place not in ontology.structures:
            yield f"places: unknown structure {place}"
    if entity.finding and entity.organs and not any(_organ_agrees(ontology, entity, p) for p in entity.places):
        yield f"places: none of them lies in {', '.join(entity.organs)}"


def _organ_agrees(ontology: Ontology, entity: Entity, place: str) -> bool:
    """Whether a place may give the entity its organ. What lies around an organ may belong to another one."""
    organ = ontology.organ_of(place) or ""
    if organ in entity.organs or organ not in ontology.organs:
        return True
    return place not in ontology.organs[organ].structures


def _decompositions(ontology: Ontology) -> Iterator[Problem]:
    """No finding and place make two entities."""
    seen: dict[tuple[str, str], str] = {}
    for entity in ontology.entities.values():
        findings = (*filter(None, (entity.finding,)), *entity.other_findings)
        if entity.id in findings:
            yield _problem(ontology, "entities", entity.id, "finding: is the entity itself")
        for finding, place in product(findings, entity.places):
            first = seen.setdefault((finding, place), entity.id)
            if first != entity.id:
                yield _problem(ontology, "entities", entity.id, f"{finding} + {place} is also {first}")


def _attributes(ontology: Ontology) -> Iterator[Problem]:
    for kind in ontology.attribute_kinds.values():
        for value in kind.values.values():
            for other in sorted(value.compatible | value.opposites):
                if other not in kind.values:
                    yield _problem(ontology, "attributes", kind.kind, f"{value.value}: unknown value {other}")
            if (kind.compare == "ordered") != (value.rank is not None):
                said = "has no rank" if value.rank is None else "has a rank, but the kind isn't ordered"
                yield _problem(ontology, "attributes", kind.kind, f"{value.value}: {said}")
    for pattern in ontology.attribute_patterns:
        if pattern.value is not None and pattern.value not in ontology.attribute_kinds[pattern.kind].values:
            yield _problem(ontology, "attributes", pattern.kind, f"pattern: unknown value {pattern.value}")


def _targets(ontology: Ontology) -> Iterator[Problem]:
    concepts = ontology.entities.keys() | ontology.structures.keys()
    for form in ontology.ambiguous:
        for id in form.ids:
            if id not in concepts:
                yield _problem(ontology, "ambiguous", form.form, f"unknown id {id}")
    for rule in ontology.abbreviation_rules:
        if rule.reading not in concepts:
            yield Problem("abbreviations.yaml", rule.abbr, f"reading: unknown id {rule.reading}")
    for walk in ontology.crosswalks.values():
        for label, ids in walk.targets.items():
            for id in ids:
                if not _exists(ontology, id):
                    yield _problem(ontology, "crosswalks", walk.name, f"{label}: unknown id {id}")
    roots = {rule.is_a for rule in ontology.weights.rules} | {shift.is_a for shift in ontology.weights.shifts}
    for root in sorted(filter(None, roots)):
        if root not in ontology.entities:
            yield Problem("significance.yaml", root, "is_a: unknown entity")


def _exists(ontology: Ontology, id: str) -> bool:
    try:
        return bool(ontology.entity(id))
    except KeyError:
        return id in ontology.structures or id in ontology.organs
