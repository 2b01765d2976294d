"""A fact as matching handles it: canonical slots beside the fact, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cabs.matching.names import Names
from cabs.matching.places import Places
from cabs.ontology.model import sides_of
from cabs.values import OTHER, Attribute, Fact, Location, Side, Span

if TYPE_CHECKING:
    from cabs.ontology import Ontology

AttributeKey = tuple[str, str, tuple[float, ...]]
Content = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """`fact` in canonical form, with what is compared.

    `words`: the words of the name, for entities outside the ontology (() for others). `sides`: right, left,
    both or none. `ids`: all places in normal form; `places`: those that say more than entity and organ.
    `attributes`: by kind. `content` orders items by what they say; `order` goes on with the place in the
    report.
    """

    fact: Fact
    entity: str
    words: tuple[str, ...]
    organ: str | None
    sides: frozenset[str]
    ids: tuple[str, ...]
    places: tuple[str, ...]
    attributes: dict[str, tuple[Attribute, ...]]
    measured: bool
    content: Content
    order: Content


class Items:
    """Makes items: entity composed, organ and side taken from the places where they are unstated."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self.places, self.names = Places(ontology), Names(ontology)

    def of(self, fact: Fact) -> tuple[Item, ...]:
        """The item of a fact; of an unmeasured bilateral fact a right and a left one."""
        sides = sides_of(fact.side) or self.places.sides(fact.location.ids)
        if len(sides) == 2 and not any(attribute.mm for attribute in fact.attributes):
            return tuple(self._one(fact, frozenset((side,))) for side in ("right", "left"))
        return (self._one(fact, sides),)

    def _one(self, fact: Fact, sides: frozenset[str]) -> Item:
        ids = self.places.normal(fact.location.ids, sides)
        organ = fact.organ or self._organ(fact.entity, ids)
        entity = self._entity(fact.entity, ids, organ)
        return self.make((fact,), entity, organ, sides, ids, fact.attributes)

    def united(self, items: list[Item]) -> Item:
        """One item of several: the first, with the places, sides, attributes and evidence of all."""
        first = items[0]
        sides: frozenset[str] = frozenset().union(*(item.sides for item in items))
        ids = self.places.normal(tuple(dict.fromkeys(id for item in items for id in item.ids)), sides)
        organ = first.organ or next((item.organ for item in items if item.organ), None)
        attributes = tuple(a for item in items for a in item.fact.attributes)
        facts = tuple(item.fact for item in items)
        return self.make(facts, first.entity, organ, sides, ids, attributes)

    def with_fact(self, item: Item, fact: Fact) -> Item:
        """The item with another fact's certainty and attributes."""
        return self.make((fact,), item.entity, item.organ, item.sides, item.ids, fact.attributes)

    def same_entity(self, a: Item, b: Item) -> bool:
        """The same entity, or outside the ontology the same name."""
        if a.entity == OTHER:
            return b.entity == OTHER and self.names.same(a.words, b.words)
        return a.entity == b.entity

    def make(
        self,
        facts: tuple[Fact, ...],
        entity: str,
        organ: str | None,
        sides: frozenset[str],
        ids: tuple[str, ...],
        attributes: tuple[Attribute, ...],
    ) -> Item:
        """An item from its slots; `facts` are where they come from, the first one gives section, status,
        certainty."""
        keyed = {_key(a): a for a in sorted(attributes, key=_attribute_order, reverse=True)}
        keys = tuple(sorted(keyed))
        kinds: dict[str, tuple[Attribute, ...]] = {}
        for key in keys:
            kinds[key[0]] = (*kinds.get(key[0], ()), keyed[key])
        fact = self._fact(facts, entity, organ, sides, ids, tuple(keyed[key] for key in keys))
        words = self.names.words(fact.name) if entity == OTHER else ()
        places = self.places.told(ids, entity, organ)
        content = (entity, words, organ or "", tuple(sorted(sides)), ids, keys, fact.certainty)
        spans = (fact.section, fact.mention, fact.evidence)
        order = (content, *spans, fact.location.text, fact.name, *(a.text for a in fact.attributes))
        measured = any(key[2] for key in keys)
        return Item(fact, entity, words, organ, sides, ids, places, kinds, measured, content, order)

    def _fact(
        self,
        facts: tuple[Fact, ...],
        entity: str,
        organ: str | None,
        sides: frozenset[str],
        ids: tuple[str, ...],
        attributes: tuple[Attribute, ...],
    ) -> Fact:
        first = facts[0]
        name = first.name if entity == first.entity else self._ontology.entity(entity).label
        if len(facts) == 1:
            location, mention, evidence = Location(first.location.text, ids), first.mention, first.evidence
        else:
            texts = sorted({fact.location.text for fact in facts if fact.location.text})
            location = Location("; ".join(texts), ids)
            mention = min(fact.mention for fact in facts)
            evidence = tuple(sorted({Span(*span) for fact in facts for span in fact.evidence}))
        section = min(fact.section for fact in facts)  # "findings" goes before "impression"
        return Fact(
            section, first.status, entity, first.kind, name, organ, _side(sides), location, attributes,
            first.certainty, mention, evidence,
        )  # fmt: skip

    def _organ(self, entity: str, ids: tuple[str, ...]) -> str | None:
        """The organ of a fact that states none: that of its places, if they share one, else the entity's only
        one."""
        organs = {organ for organ in map(self._ontology.organ_of, ids) if organ}
        if not organs:
            try:
                organs = set(self._ontology.entity(entity).organs)
            except KeyError:
                return None
        return organs.pop() if len(organs) == 1 else None

    def _entity(self, entity: str, ids: tuple[str, ...], organ: str | None) -> str:
        """Finding + place = entity (cyst + liver = hepatic cyst); an unknown id stays as it is."""
        if entity == OTHER:
            return entity
        try:
            return self._ontology.compose(entity, ids, organ)
        except KeyError:
            return entity


def _side(sides: frozenset[str]) -> Side | None:
    if len(sides) == 2:
        return "bilateral"
    if not sides:
        return None
    return "right" if "right" in sides else "left"


def _key(attribute: Attribute) -> AttributeKey:
    """What an attribute says: its value, its axes, or else its words."""
    said = attribute.value or ("" if attribute.mm else " ".join(attribute.text.lower().split()))
    return attribute.kind, said, attribute.mm


def _attribute_order(attribute: Attribute) -> tuple[AttributeKey, str]:
    return _key(attribute), attribute.text
