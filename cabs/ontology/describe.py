"""Everything that is known of one id, as plain values for printing or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from cabs.ontology.model import AttributeKind, Entity, Organ, Structure
from cabs.ontology.ontology import Ontology


def describe(ontology: Ontology, id: str) -> list[dict[str, Any]]:
    """One description for each record with this id (an organ and a structure may share one). KeyError for
    none."""
    found: list[dict[str, Any]] = []
    if id in ontology.entities or "@" in id:
        found.append(_entity(ontology, ontology.entity(id)))
    if id in ontology.structures:
        found.append(_structure(ontology, ontology.structures[id]))
    if id in ontology.organs:
        found.append(_organ(ontology, ontology.organs[id]))
    if id in ontology.attribute_kinds:
        found.append(_kind(ontology.attribute_kinds[id]))
    if not found:
        raise KeyError(id)
    return found


def _entity(ontology: Ontology, entity: Entity) -> dict[str, Any]:
    return {
        "type": "entity",
        **_plain(entity),
        "ancestors": list(ontology.ancestors(entity.id)),
        "children": _ids(e.id for e in ontology.entities.values() if e.parent == entity.id),
        "parts": _ids(e.id for e in ontology.entities.values() if e.finding == entity.id),
        "significance": ontology.significance(entity.id),
        "weight": ontology.weight(entity.id),
        "file": ontology.files.get(("entities", entity.id)),
    }


def _structure(ontology: Ontology, structure: Structure) -> dict[str, Any]:
    return {
        "type": "structure",
        **_plain(structure),
        "organ": ontology.organ_of(structure.id),
        "ancestors": list(ontology.place_ancestors(structure.id)),
        "children": _ids(s.id for s in ontology.structures.values() if s.parent == structure.id),
        "entities": _ids(e.id for e in ontology.entities.values() if structure.id in e.places),
        "file": ontology.files.get(("anatomy", structure.id)),
    }


def _organ(ontology: Ontology, organ: Organ) -> dict[str, Any]:
    entities = (e.id for e in ontology.entities.values() if organ.id in e.organs)
    return {"type": "organ", **_plain(organ), "entities": _ids(entities)}


def _kind(kind: AttributeKind) -> dict[str, Any]:
    values = {value.value: list(value.forms) for value in kind.values.values()}
    return {"type": "attribute", **_plain(kind), "values": values}


def _ids(ids: Iterable[str]) -> list[str]:
    return sorted(ids)


def _plain(record: Any) -> dict[str, Any]:
    return {field.name: _value(getattr(record, field.name)) for field in fields(record)}


def _value(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
