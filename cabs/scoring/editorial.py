"""How much of a result's clinical weight rests on editorial judgement instead of a source."""

from __future__ import annotations

from collections.abc import Mapping

from cabs.metrics import Counts
from cabs.ontology import Ontology

EDITORIAL = "editorial"


def editorial_share(by_entity: Mapping[str, Counts], ontology: Ontology) -> float | None:
    """The share of reference facts and false facts whose class of significance has no source, 0 to 1; None
    without facts. Source: the specification of CABS, "Clinical weight and CABS-Score"."""
    facts = {entity: counts.facts + counts.extra for entity, counts in by_entity.items()}
    everything = sum(facts.values())
    judged = sum(n for entity, n in facts.items() if source_of(entity, ontology).startswith(EDITORIAL))
    return judged / everything if everything else None


def source_of(entity_id: str, ontology: Ontology) -> str:
    """Where an entity's class of significance comes from: its own record, its nearest ancestor or class
    rule."""
    rules = {rule.is_a: rule.source for rule in ontology.weights.rules if rule.is_a}
    try:
        chain = (entity_id, *ontology.ancestors(entity_id))
        for id in chain:
            entity = ontology.entity(id)
            if entity.significance:
                return entity.significance_source or EDITORIAL
            if id in rules:
                return rules[id] or EDITORIAL
    except KeyError:  # an entity that the ontology does not know
        return EDITORIAL
    kind = ontology.entity(entity_id).kind
    by_kind = (rule.source for rule in ontology.weights.rules if rule.kind == kind and not rule.is_a)
    return next(by_kind, "") or EDITORIAL
