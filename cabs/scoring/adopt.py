"""Facts from elsewhere → facts that the ontology in use can compare: unknown ids lose their meaning, not the
fact."""

from __future__ import annotations

from dataclasses import replace

from cabs.ontology import Ontology
from cabs.values import OTHER, Attribute, Fact, Issue, Location, ParsedReport

WORDS = "other"
"""The attribute kind of words that no rule explains."""


def adopted(report: ParsedReport, ontology: Ontology) -> ParsedReport:
    """The report with every id that the ontology does not have replaced: an entity by `other` (it keeps its
    name), an organ and places by none, an attribute kind by `other`, an attribute value by none. Each is
    listed as an issue.

    A report that holds known ids only is returned as it is.
    """
    issues: list[Issue] = []
    facts = tuple(_fact(fact, ontology, issues) for fact in report.facts)
    normal = tuple(n for n in report.normal if n.organ in ontology.organs)
    if len(normal) < len(report.normal):
        issues.append(Issue("unknown_organ", "a normality statement names an unknown organ"))
    return replace(report, facts=facts, normal=normal, issues=(*report.issues, *issues)) if issues else report


def _fact(fact: Fact, ontology: Ontology, issues: list[Issue]) -> Fact:
    changed: dict[str, object] = {}
    if not _known(fact.entity, ontology):
        issues.append(Issue("unknown_entity", f"entity {fact.entity!r} is unknown", fact.mention))
        changed["entity"], changed["name"] = OTHER, fact.name or fact.entity
    if fact.organ is not None and fact.organ not in ontology.organs:
        issues.append(Issue("unknown_organ", f"organ {fact.organ!r} is unknown", fact.mention))
        changed["organ"] = None
    places = tuple(place for place in fact.location.ids if place in ontology.structures)
    if places != fact.location.ids:
        issues.append(Issue("unknown_place", "a place is unknown", fact.mention))
        changed["location"] = Location(fact.location.text, places)
    attributes = tuple(_attribute(a, ontology) for a in fact.attributes)
    if attributes != fact.attributes:
        issues.append(Issue("unknown_attribute", "an attribute is unknown", fact.mention))
        changed["attributes"] = attributes
    return replace(fact, **changed) if changed else fact  # type: ignore[arg-type]


def _known(entity: str, ontology: Ontology) -> bool:
    try:
        ontology.entity(entity)
    except KeyError:
        return entity == OTHER
    return True


def _attribute(attribute: Attribute, ontology: Ontology) -> Attribute:
    kind = ontology.attribute_kinds.get(attribute.kind)
    if kind is None:
        return Attribute(WORDS, attribute.text)
    if attribute.value is not None and attribute.value not in kind.values:
        return replace(attribute, value=None)
    return attribute
