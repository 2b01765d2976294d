"""The lint of groups: what they name is there, and their examples fall on the right side."""

from __future__ import annotations

from collections.abc import Iterator

from cabs.ontology.examples import Expected, read_fact
from cabs.ontology.model import Example
from cabs.ontology.ontology import Ontology
from cabs.ontology.problems import Problem, problem
from cabs.ontology.rules import Group
from cabs.ontology.suggest import meant, meant_of_few


def groups(ontology: Ontology) -> Iterator[Problem]:
    """Groups that name an entity, an organ or an attribute kind that is not there, or that their own stand-in is no
    member of."""
    for group in ontology.groups.values():
        for text, message in _targets(ontology, group):
            yield problem(ontology, "groups", group.id, message, text=text)


def _targets(ontology: Ontology, group: Group) -> Iterator[tuple[str, str]]:
    known = ontology.entities
    for id in (group.stands_for, *(rule.is_a for rule in group.rules)):
        if id not in known:
            yield id, f"unknown entity {id}{meant(id, known)}"
    if group.stands_for in known and not ontology.in_group(group.id, group.stands_for, None):
        yield group.stands_for, f"stands_for: {group.stands_for} is no member"
    for organ in (organ for rule in group.rules for organ in rule.organs):
        if organ not in ontology.organs:
            yield organ, f"unknown organ {organ}{meant_of_few(organ, ontology.organs)}"
    for kind in (kind for kinds in group.compared.values() for kind in kinds):
        if kind not in ontology.attribute_kinds:
            yield kind, f"compared: unknown attribute kind {kind}{meant(kind, ontology.attribute_kinds)}"


def members(ontology: Ontology) -> Iterator[Problem]:
    """Examples on the wrong side: one of `match` states a member, one of `no_match` none."""
    for group in ontology.groups.values():
        for wanted, examples in ((True, group.match), (False, group.no_match)):
            for example in examples:
                said = _wrong(ontology, group, example, wanted)
                if said:
                    yield problem(ontology, "groups", group.id, f"{said} in {example.text!r}", text=example.text)


def _wrong(ontology: Ontology, group: Group, example: Example, wanted: bool) -> str:
    if example.facts is None:
        return "no facts are stated"
    try:
        stated = [read_fact(fact, ontology) for fact in example.facts]
    except ValueError:
        return ""  # told by the lint of examples
    found = any(fact.status == "present" and _belongs(ontology, group, fact) for fact in stated)
    if found == wanted:
        return ""
    return "there is no member" if wanted else "there is a member"


def _belongs(ontology: Ontology, group: Group, fact: Expected) -> bool:
    organs = ontology.entity(fact.entity).organs
    organ = fact.organ or (organs[0] if len(organs) == 1 else None)
    return ontology.in_group(group.id, fact.entity, organ)
