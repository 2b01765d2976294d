"""The slots of paired facts: which of them there are, whether a pair agrees in one, and its category on each side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cabs.matching.item import Item
from cabs.ontology import Ontology
from cabs.studies.agreement.units import UnitPair

UNSTATED = "unstated"
"""The category of a slot that a fact leaves out."""
UNLISTED = "unlisted"
"""The category of words for which the ontology lists no value."""
BOUND = "paired facts have the same entity"
OPEN = "no closed set of categories"


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot. `agrees`: whether a pair agrees in it, as scores judge it. `category`: what an item says in it, from a
    closed set with "unstated"; None where there is no closed set, then `reason` says why there is no kappa."""

    name: str
    agrees: Callable[[UnitPair], bool]
    stated: Callable[[Item], bool]
    category: Callable[[Item], str] | None = None
    reason: str = ""


def slots(ontology: Ontology, match: str) -> tuple[Slot, ...]:
    """Every slot in a fixed order: entity, organ, side, location, size, the other attribute kinds, attributes (all
    kinds together), certainty."""
    kinds = {kind.kind: kind.compare == "size" for kind in ontology.attribute_kinds.values()}
    bound = match == "strict"
    return (
        Slot("entity", lambda p: p.exact, _always, None if bound else _entity, BOUND if bound else ""),
        Slot("organ", lambda p: p.a.organ == p.b.organ, lambda i: i.organ is not None, _organ),
        Slot("side", _without("side"), lambda i: bool(i.sides), _side),
        Slot("location", _without("place"), lambda i: bool(i.places), reason=OPEN),
        *(_attribute(kind, sizes) for kind, sizes in sorted(kinds.items(), key=lambda item: (not item[1], item[0]))),
        Slot("attributes", _without(*kinds), lambda i: bool(i.attributes), reason=OPEN),
        Slot("certainty", _without("certainty"), _always, lambda i: i.certainty),
    )


def _always(_item: Item) -> bool:
    return True


def _without(*parts: str) -> Callable[[UnitPair], bool]:
    return lambda pair: pair.differing.isdisjoint(parts)


def _entity(item: Item) -> str:
    return " ".join(item.words) or item.entity


def _organ(item: Item) -> str:
    return item.organ or UNSTATED


def _side(item: Item) -> str:
    return "+".join(sorted(item.sides)) or UNSTATED


def _attribute(kind: str, sizes: bool) -> Slot:
    def category(item: Item) -> str:
        values = {a.value for a in item.attributes.get(kind, ()) if a.value}
        return "+".join(sorted(values)) or (UNLISTED if kind in item.attributes else UNSTATED)

    name, stated = kind, _stating(kind)
    return Slot(name, _without(kind), stated, None if sizes else category, OPEN if sizes else "")


def _stating(kind: str) -> Callable[[Item], bool]:
    return lambda item: kind in item.attributes


def entity_of(item: Item) -> str:
    """The entity that a fact names, as the key of a (report, entity) unit; outside the ontology its words."""
    return _entity(item)


Labels = Mapping[str, str]
"""Entity → "present" or "absent"; what isn't in it is not mentioned."""
