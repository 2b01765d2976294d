"""A crosswalk → which entities a label stands for."""

from __future__ import annotations

from collections.abc import Iterable

import cabs
from cabs.values import Fact


def targets(name: str) -> dict[str, tuple[str, ...]]:
    """Label → the ids that it stands for, of one crosswalk; no ids for a label that stands for nothing.

    Raises KeyError for a crosswalk that the ontology does not have.
    """
    return dict(cabs.load_ontology().crosswalks[name].targets)


def stated(facts: Iterable[Fact], ids: Iterable[str]) -> list[Fact]:
    """The facts of one of these entities, or of one below it."""
    ontology, wanted = cabs.load_ontology(), tuple(ids)
    return [fact for fact in facts if any(ontology.is_a(fact.entity, id) for id in wanted)]
