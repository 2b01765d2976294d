"""What is wrong with an ontology: every contradiction, dangling id, unlisted ambiguity and rule without
examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from cabs.errors import OntologyError
from cabs.ontology.examples import cases, run_case
from cabs.ontology.hierarchy import Tree
from cabs.ontology.lint_groups import groups
from cabs.ontology.lint_names import by_depth, names, plurals
from cabs.ontology.lint_rules import regexes, remarks, rules, values
from cabs.ontology.load import assemble
from cabs.ontology.model import Entity, Structure
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem, problem
from cabs.ontology.suggest import meant, meant_of_few
from cabs.values import OTHER, ParsedReport

Parse = Callable[[str, Ontology], ParsedReport]


class Checked(NamedTuple):
    """What a check found: problems; notes on extra folders, which are no problems; the number of examples that were
    run, None where they could not be, since files or ids are wrong."""

    problems: list[Problem]
    notes: list[Problem]
    examples: int | None


def lint(path: str | Path | None = None, extra: tuple[str, ...] = ()) -> list[Problem]:
    """Every problem of an ontology folder, in the order of the files; [] for a clean one. No example is parsed."""
    return check(path, extra).problems


def check(
    path: str | Path | None = None, extra: tuple[str, ...] = (), parse: Parse | None = None, every: bool = False
) -> Checked:
    """Every problem and note of an ontology. With `parse`, the examples of the extra folders, or all with `every`,
    have to give the facts that they state.

    Where a file or record of the ontology itself can't be read, only that is told: whatever names what it holds would
    seem to be at fault. What extra folders override falls back to the record below, so there the check goes on.
    """
    problems: list[Problem] = []
    try:
        ontology = assemble(path, extra, problems)
    except OntologyError as error:
        return Checked([*problems, Problem(error.place, "", error.message)], [], None)
    if problems and not extra:
        return Checked(sorted({*problems}), [], None)
    problems += references(ontology)
    sound = not problems
    problems += [*names(ontology), *rules(ontology)]
    least = 0 if every else 1
    ran, failed = _examples(ontology, parse, least) if parse and sound else (None, [])
    return Checked(sorted({*problems, *failed}), [*plurals(ontology), *remarks(ontology)], ran)


def _examples(ontology: Ontology, parse: Parse, least: int) -> tuple[int, list[Problem]]:
    """How many examples of folders from a depth on state facts, and those whose facts the parser does not give."""
    found: list[Problem] = []
    stated = [case for case in cases(ontology) if case.example.facts is not None and case.depth >= least]
    own = [case for case in stated if case.readable(ontology)]
    for case in own:
        failure = run_case(case, lambda text: parse(text, ontology), ontology)
        if failure is not None:
            said = f"{case.polarity}: {case.example.text!r}: wanted {failure.wanted}; got {failure.got}"
            found.append(Problem(case.file, case.rule, said, case.line))
    return len(own), found


def references(ontology: Ontology) -> list[Problem]:
    """Ids that don't exist, cycles, and records that contradict each other."""
    found: list[Problem] = []
    for check in (_organs, _structures, _entities, _decompositions, _attributes, _targets, groups, values, regexes):
        found += check(ontology)
    return found


def _organs(ontology: Ontology) -> Iterator[Problem]:
    used = {s.organ for s in ontology.structures.values()}
    used |= {organ for entity in ontology.entities.values() for organ in entity.organs}
    for organ in ontology.organs.values():
        if organ.id not in used:
            yield problem(ontology, "organs", organ.id, "no structure or entity has this organ")
        for id in organ.structures:
            if id not in ontology.structures:
                yield problem(
                    ontology, "organs", organ.id, f"structures: unknown structure {_unknown(id, ontology.structures)}"
                )
            elif ontology.organ_of(id) != organ.id:
                yield problem(ontology, "organs", organ.id, f"{id} has the organ {ontology.organ_of(id)}")


def _structures(ontology: Ontology) -> Iterator[Problem]:
    tree = Tree({structure.id: structure.parent for structure in ontology.structures.values()})
    for structure in ontology.structures.values():
        for message in _structure(ontology, structure):
            yield problem(ontology, "anatomy", structure.id, message)
        if tree.cycle(structure.id):
            yield problem(ontology, "anatomy", structure.id, "parent: goes in a circle")


def _structure(ontology: Ontology, structure: Structure) -> Iterator[str]:
    parent = ontology.structures.get(structure.parent or "")
    if structure.parent is not None and parent is None:
        yield f"parent: unknown structure {_unknown(structure.parent, ontology.structures)}"
    if (structure.relation == "root") != (structure.parent is None):
        yield "relation: a root has no parent, and only a root"
    if structure.organ is not None and structure.organ not in ontology.organs:
        yield f"organ: unknown organ {structure.organ}{meant_of_few(structure.organ, ontology.organs)}"
    if parent is not None and {structure.side, parent.side} == {"right", "left"}:
        yield f"side: {structure.side}, within {parent.id}, which is {parent.side}"


def _entities(ontology: Ontology) -> Iterator[Problem]:
    if OTHER not in ontology.entities:
        yield Problem("entities", OTHER, "is missing; it stands for what the ontology doesn't know")
    tree = Tree({entity.id: entity.parent for entity in ontology.entities.values()})
    for entity in ontology.entities.values():
        if tree.cycle(entity.id):
            yield problem(ontology, "entities", entity.id, "parent: goes in a circle")
        for message in (*_entity(ontology, entity), *_entity_places(ontology, entity)):
            yield problem(ontology, "entities", entity.id, message)


def _entity(ontology: Ontology, entity: Entity) -> Iterator[str]:
    if entity.parent is not None and entity.parent not in ontology.entities:
        yield f"parent: unknown entity {_unknown(entity.parent, ontology.entities)}"
    if entity.parent is None and entity.kind != "root" and entity.id != OTHER:
        yield "parent: missing; only a root has none"
    for organ in entity.organs:
        if organ not in ontology.organs:
            yield f"organs: unknown organ {organ}{meant_of_few(organ, ontology.organs)}"
    if entity.predicate_attribute is not None:
        kind, value = entity.predicate_attribute
        if kind not in ontology.attribute_kinds or value not in ontology.attribute_kinds[kind].values:
            yield f"predicate_attribute: unknown value {value} of {_attribute(ontology, kind, value)}"
        if not entity.predicates:
            yield "predicate_attribute: there are no predicates"


def _entity_places(ontology: Ontology, entity: Entity) -> Iterator[str]:
    for finding in (*filter(None, (entity.finding,)), *entity.other_findings):
        if finding not in ontology.entities:
            yield f"finding: unknown entity {_unknown(finding, ontology.entities)}"
    if entity.other_findings and entity.finding is None:
        yield "other_findings: there is no finding"
    if (entity.finding is None) != (not entity.places):
        yield "finding, places: one without the other"
    for place in (*entity.places, *filter(None, (entity.default_place,))):
        if place not in ontology.structures:
            yield f"places: unknown structure {_unknown(place, ontology.structures)}"
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
    for entity in by_depth(ontology, "entities", ontology.entities.values()):
        findings = (*filter(None, (entity.finding,)), *entity.other_findings)
        if entity.id in findings:
            yield problem(ontology, "entities", entity.id, "finding: is the entity itself")
        for finding, place in product(findings, entity.places):
            first = seen.setdefault((finding, place), entity.id)
            if first != entity.id:
                yield problem(ontology, "entities", entity.id, f"{finding} + {place} is also {first}")


def _attributes(ontology: Ontology) -> Iterator[Problem]:
    for kind in ontology.attribute_kinds.values():
        for value in kind.values.values():
            for other in sorted(value.compatible | value.opposites):
                if other not in kind.values:
                    yield problem(
                        ontology,
                        "attributes",
                        kind.kind,
                        f"{value.value}: unknown value {_unknown(other, kind.values)}",
                    )
            if (kind.compare == "ordered") != (value.rank is not None):
                said = "has no rank" if value.rank is None else "has a rank, but the kind isn't ordered"
                yield problem(ontology, "attributes", kind.kind, f"{value.value}: {said}")
    for pattern in ontology.attribute_patterns:
        listed = ontology.attribute_kinds[pattern.kind].values
        if pattern.value is not None and pattern.value not in listed:
            said = f"pattern: unknown value {_unknown(pattern.value, listed)}"
            yield problem(ontology, "attributes", pattern.kind, said, text=pattern.regex)


def _targets(ontology: Ontology) -> Iterator[Problem]:
    concepts = ontology.entities.keys() | ontology.structures.keys()
    for form in ontology.ambiguous:
        for id in form.ids:
            if id not in concepts:
                yield problem(ontology, "ambiguous", form.form, f"unknown id {_unknown(id, concepts)}")
    for rule in ontology.abbreviation_rules:
        if rule.reading not in concepts:
            said = f"reading: unknown id {_unknown(rule.reading, concepts)}"
            yield problem(ontology, "abbreviations", rule, said, name=rule.abbr)
    for walk in ontology.crosswalks.values():
        for label, ids in walk.targets.items():
            for id in ids:
                if not _exists(ontology, id):
                    said = f"{label}: unknown id {_unknown(id, concepts)}"
                    yield problem(ontology, "crosswalks", walk.name, said, text=label)
    roots = {rule.is_a for rule in ontology.weights.rules} | {shift.is_a for shift in ontology.weights.shifts}
    for root in sorted(filter(None, roots)):
        if root not in ontology.entities:
            said = f"is_a: unknown entity {_unknown(root, ontology.entities)}"
            yield problem(ontology, "significance", "", said, name=root, text=root)


def _unknown(id: str, known: Iterable[str]) -> str:
    """An unknown id, with the known one that is probably meant."""
    return f"{id}{meant(id, known)}"


def _attribute(ontology: Ontology, kind: str, value: str) -> str:
    if kind not in ontology.attribute_kinds:
        return _unknown(kind, ontology.attribute_kinds)
    return f"{kind}{meant(value, ontology.attribute_kinds[kind].values)}"


def _exists(ontology: Ontology, id: str) -> bool:
    try:
        return bool(ontology.entity(id))
    except KeyError:
        return id in ontology.structures or id in ontology.organs
