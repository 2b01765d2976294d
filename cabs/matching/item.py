"""A fact as matching handles it: canonical slots beside the fact, worked out once per wording."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cabs.matching.names import Names
from cabs.matching.places import Places
from cabs.matching.remembered import remembered
from cabs.ontology.compose import AT
from cabs.ontology.model import sides_of
from cabs.parsing import interned
from cabs.values import OTHER, Attribute, Certainty, Fact, Side, Span

if TYPE_CHECKING:
    from cabs.ontology import Ontology

AttributeKey = tuple[str, str, tuple[float, ...]]
Content = tuple[object, ...]
_EACH = frozenset(("right",)), frozenset(("left",))


class Slots(NamedTuple):
    """What a fact says, in canonical form; the part of an item that many facts share.

    `head`: the entity, or the finding of one that isn't listed ("cyst" of "cyst@spleen"): the organ is compared apart.
    `words`: the words of the name, for entities outside the ontology (() for others). `sides`: right, left,
    both or none. `ids`: all places in normal form; `places`: those that say more than entity and organ.
    `attributes`: by kind, without repeats; `keys`: the same, flat. `content` orders slots by what they say.
    """

    entity: str
    head: str
    words: tuple[str, ...]
    organ: str | None
    sides: frozenset[str]
    ids: tuple[str, ...]
    places: tuple[str, ...]
    attributes: dict[str, tuple[Attribute, ...]]
    flat: tuple[Attribute, ...]
    keys: tuple[AttributeKey, ...]
    side: Side | None
    measured: bool
    content: Content


class Item(NamedTuple):
    """A canonical `fact` with its `slots` (see there for the rest)."""

    fact: Fact
    entity: str
    head: str
    words: tuple[str, ...]
    organ: str | None
    sides: frozenset[str]
    places: tuple[str, ...]
    attributes: dict[str, tuple[Attribute, ...]]
    certainty: Certainty
    measured: bool
    slots: Slots
    content: Content

    @property
    def order(self) -> Content:
        """What sorts items: their content, the place in the report last. Made when it is asked for, not kept."""
        fact = self.fact
        return self.content, fact.section, fact.mention, fact.evidence, fact.location.text, fact.name, _texts(fact)


class Items:
    """Makes items: entity composed, organ and side taken from the places where they are unstated."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self.places, self.names = Places(ontology), Names(ontology)
        self._stated = remembered(self._read)
        self._slots = remembered(self._make)

    def of(self, fact: Fact) -> tuple[Item, ...]:
        """The item of a fact; of an unmeasured bilateral fact a right and a left one."""
        name = fact.name if fact.entity == OTHER else ""
        stated = self._stated(fact.entity, name, fact.organ, fact.side, fact.location.ids, fact.attributes)
        return tuple([_item(self._restated(fact, slots), slots) for slots in stated])

    def united(self, items: list[Item]) -> Item:
        """One item of several: the first, with the places, sides, attributes and evidence of all."""
        attributes = tuple([a for item in items for a in item.fact.attributes])
        return self._together(items, attributes, items[0].certainty)

    def absorbed(self, findings: Item, impression: Item) -> Item:
        """The findings item with the slots that only the impression states, and its certainty; sizes stay
        those of the findings."""
        told = impression.fact.attributes
        if findings.measured and impression.measured:
            told = tuple([a for a in told if not a.mm])
        attributes = findings.fact.attributes + told
        return self._together([findings, impression], attributes, impression.certainty)

    def _together(self, items: list[Item], attributes: tuple[Attribute, ...], certainty: Certainty) -> Item:
        first = items[0]
        sides: frozenset[str] = frozenset().union(*[item.sides for item in items])
        ids = tuple(dict.fromkeys([id for item in items for id in item.slots.ids]))
        named = next((item for item in items if item.organ), first)
        places = self.places.normal(ids, sides)
        slots = self._slots(named.entity, first.words, named.organ, sides, places, attributes)
        return _item(self._joined([item.fact for item in items], slots, certainty), slots)

    def same_entity(self, a: Item, b: Item) -> bool:
        """The same entity, organ aside, or outside the ontology the same name."""
        if a.entity == OTHER:
            return b.entity == OTHER and self.names.same(a.words, b.words)
        return a.head == b.head

    def _read(
        self,
        entity: str,
        name: str,
        organ: str | None,
        side: Side | None,
        ids: tuple[str, ...],
        attributes: tuple[Attribute, ...],
    ) -> tuple[Slots, ...]:
        """The slots of a fact: one, or one for each side."""
        sides = sides_of(side) or self.places.sides(ids) or self.places.named_side(entity)
        split = len(sides) == 2 and not any(attribute.mm for attribute in attributes)
        words = self.names.words(name) if entity == OTHER else ()
        found: list[Slots] = []
        for mine in _EACH if split else (sides,):
            places = self.places.normal(ids, mine)
            at = organ or self._organ(entity, places)
            places = self.places.normal(self.places.in_organ(places, at), mine)
            found.append(self._slots(self._entity(entity, places, at), words, at, mine, places, attributes))
        return tuple(found)

    def _make(
        self,
        entity: str,
        words: tuple[str, ...],
        organ: str | None,
        sides: frozenset[str],
        ids: tuple[str, ...],
        attributes: tuple[Attribute, ...],
    ) -> Slots:
        keyed = {_key(a): a for a in sorted(attributes, key=_attribute_order, reverse=True)}
        keys = tuple(sorted(keyed))
        kinds: dict[str, tuple[Attribute, ...]] = {}
        for key in keys:
            kinds[key[0]] = (*kinds.get(key[0], ()), keyed[key])
        places = self.places.told(ids, entity, organ)
        content = (entity, words, organ or "", tuple(sorted(sides)), ids, keys)
        flat, measured = tuple([keyed[key] for key in keys]), any(key[2] for key in keys)
        head = entity.partition(AT)[0]
        return Slots(entity, head, words, organ, sides, ids, places, kinds, flat, keys, _side(sides), measured, content)

    def _restated(self, fact: Fact, slots: Slots) -> Fact:
        """The fact with canonical slots; itself where they are what it says."""
        if (
            fact.entity == slots.entity
            and fact.organ == slots.organ
            and fact.side == slots.side
            and fact.location.ids == slots.ids
            and fact.attributes == slots.flat
        ):
            return fact
        return self._joined([fact], slots, fact.certainty)

    def _joined(self, facts: list[Fact], slots: Slots, certainty: Certainty) -> Fact:
        """One fact of several; the first gives name, kind and status."""
        first = facts[0]
        name = first.name if first.entity == slots.entity else self._ontology.entity(slots.entity).label
        section, text, mention, evidence = first.section, first.location.text, first.mention, first.evidence
        if len(facts) > 1:
            section = min([fact.section for fact in facts])  # "findings" goes before "impression"
            text = "; ".join(sorted({fact.location.text for fact in facts if fact.location.text}))
            mention = min([fact.mention for fact in facts])
            evidence = tuple(sorted({Span(*span) for fact in facts for span in fact.evidence}))
        return Fact(
            section, first.status, slots.entity, first.kind, name, slots.organ, slots.side,
            interned.location(text, slots.ids), slots.flat, certainty, mention, evidence,
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


def _item(fact: Fact, slots: Slots) -> Item:
    content = (slots.content, fact.certainty)
    return Item(
        fact, slots.entity, slots.head, slots.words, slots.organ, slots.sides, slots.places, slots.attributes,
        fact.certainty, slots.measured, slots, content,
    )  # fmt: skip


def _texts(fact: Fact) -> tuple[str, ...]:
    return tuple([attribute.text for attribute in fact.attributes])


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
