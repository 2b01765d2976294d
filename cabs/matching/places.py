"""Anatomy as matching needs it: places of one side, their mirror image, and places that say no more than the
fact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cabs.matching.remembered import remembered

if TYPE_CHECKING:
    from cabs.ontology import Ontology
    from cabs.ontology.model import Structure

SIDES = ("right", "left")
_OTHER_SIDE = {"right": "left", "left": "right"}


class Places:
    """Look-ups over the structures of one ontology. Unknown place ids are kept and equal only themselves."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._side: dict[str, str] = {s.id: s.side for s in ontology.structures.values() if s.side in SIDES}
        self._base = ontology.remembering(_bases)()
        self._sided = {(base, self._side[id]): id for id, base in sorted(self._base.items(), reverse=True)}
        self.normal = remembered(self._normal)
        self.told = remembered(self._told)
        self.contains = ontology.contains
        self.anchored = remembered(self._anchored)
        self.named_side = remembered(self._named_side)
        self.in_organ = remembered(self._in_organ)
        self._own = remembered(self._own_of)
        self._called = ontology.remembering(_called)

    def sides(self, ids: Iterable[str]) -> frozenset[str]:
        """The sides that the places themselves lie on."""
        return frozenset(self._side[id] for id in ids if id in self._side)

    def _named_side(self, entity: str) -> frozenset[str]:
        """The side that an entity's name says ("left ventricular hypertrophy"); none where it says both or neither."""
        try:
            words = self._ontology.entity(entity).label.lower().split()
        except KeyError:
            return frozenset()
        found = frozenset(words).intersection(SIDES)
        return found if len(found) == 1 else frozenset()

    def _in_organ(self, ids: tuple[str, ...], organ: str | None) -> tuple[str, ...]:
        """The places as those of the organ: a node "in the mediastinum" is a mediastinal one, "distal" is the distal
        esophagus. A place that the organ has no structure for stays as it is."""
        found = tuple(self._own(id, organ) for id in ids) if organ else ids
        return ids if found == ids else tuple(sorted(dict.fromkeys(found)))

    def _own_of(self, id: str, organ: str | None) -> str:
        place, record = self._ontology.structures.get(id), self._ontology.organs.get(organ or "")
        at = self._ontology.organ_of(id)
        if place is None or record is None or at == organ:
            return id
        minor = self._ontology.spelling.minor
        names = [_words(name, minor) for name in place.adjectives]
        organs = [_words(name, minor) for name in (record.adjective, record.label) if name]
        spoken = [_words(name, minor) for name in (place.label, *place.forms, *place.adjectives)]
        with_organ = [name | own for name in spoken for own in organs]  # "distal" + "esophageal"
        names = with_organ if at is None else [*names, *with_organ]
        called = self._called(record.id)
        found = (called.get(name) for name in names)
        return next((own for own in found if own and own not in record.structures[:1]), id)

    def mirror(self, id: str) -> str:
        """The same place on the other side; the place itself where there is none."""
        base = self._base.get(id)
        return self._sided.get((base, _OTHER_SIDE[self._side[id]]), id) if base else id

    def _anchored(self, id: str) -> bool:
        """Whether a place lies in an organ. A word of position that doesn't ("posterior"), and that only the
        prediction says, is more detail, not another place."""
        return id not in self._ontology.structures or self._ontology.organ_of(id) is not None

    def _normal(self, ids: tuple[str, ...], sides: frozenset[str]) -> tuple[str, ...]:
        """The places in one form, sorted: "upper lobe" on the right is the right upper lobe; a place that
        holds another one is left out; a place of the other side than the fact's is, unless no other place is
        left."""
        mine = [id for id in ids if not sides or self._side.get(id, "") in ("", *sides)]
        found = {place for id in mine or ids for place in self._on(id, sides)}
        return tuple(sorted(id for id in found if not any(id != b and self.contains(id, b) for b in found)))

    def _on(self, id: str, sides: frozenset[str]) -> tuple[str, ...]:
        sided = tuple(self._sided[id, side] for side in sides if (id, side) in self._sided)
        return sided or (id,)

    def _told(self, ids: tuple[str, ...], entity: str, organ: str | None) -> tuple[str, ...]:
        """The places among `ids` that say more than the entity and the organ do ("renal cyst in the kidney":
        none)."""
        known = self._implied(entity, organ)
        return tuple(id for id in ids if not any(self._covers(id, place) for place in known))

    def _covers(self, id: str, place: str) -> bool:
        return self.contains(id, place) or (id in self._base and self.contains(self._base[id], place))

    def _implied(self, entity: str, organ: str | None) -> tuple[str, ...]:
        record = self._ontology.organs.get(organ) if organ else None
        structures = record.structures if record else ()
        try:
            found = self._ontology.entity(entity)
        except KeyError:
            return structures
        return (*structures, *found.places, *((found.default_place,) if found.default_place else ()))


def _bases(ontology: Ontology) -> dict[str, str]:
    """Each structure of one side → the same structure of either side: its paired is-a parent, or the paired structure
    of the organ that one of its names names, side word aside ("right upper lobe" → "upper lobe"). Where several
    structures of one side would share it ("upper" and "lower quadrant"), it is none of them."""
    minor = ontology.spelling.minor
    paired = (s for s in ontology.structures.values() if s.side == "paired")
    named = {(ontology.organ_of(s.id), words): s.id for s in paired for words in _names(s, minor)}
    found: dict[tuple[str, str], list[str]] = {}
    for s in ontology.structures.values():
        if s.side not in SIDES:
            continue
        parent = ontology.structures.get(s.parent or "")
        if s.relation == "is_a" and parent is not None and parent.side == "paired":
            found.setdefault((parent.id, s.side), []).append(s.id)
            continue
        organ = ontology.organ_of(s.id)
        bases = (named.get((organ, words - {s.side})) for words in _names(s, minor) if s.side in words)
        base = next(filter(None, bases), None)
        if base:
            found.setdefault((base, s.side), []).append(s.id)
    return {ids[0]: base for (base, _), ids in found.items() if len(ids) == 1}


def _called(ontology: Ontology, organ: str) -> dict[frozenset[str], str]:
    """The words of a name → the structure of the organ; the first that has the name."""
    minor, found = ontology.spelling.minor, dict[frozenset[str], str]()
    for s in ontology.structures.values():
        if ontology.organ_of(s.id) == organ:
            for name in (s.label, *s.forms, *s.adjectives):
                found.setdefault(_words(name, minor), s.id)
    return found


def _names(structure: Structure, minor: frozenset[str]) -> list[frozenset[str]]:
    return [_words(text, minor) for text in (structure.label, *structure.forms)]


def _words(text: str, minor: frozenset[str]) -> frozenset[str]:
    return frozenset(text.lower().replace("-", " ").split()) - minor
