"""A head and its place → the entity that they name together, and its organ."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cabs.ontology import Ontology
from cabs.ontology.model import Entity
from cabs.parsing.places import Where
from cabs.parsing.scan import ENTITY, Token

_FACTS = ("abnormality", "device", "postoperative")

_MEMORY = 1 << 14


class Named(NamedTuple):
    """`entity` is None where the finding still needs a place. `lasting`: true of a state that history leaves behind
    (a device, an operation). `inherits`: the place came from the heading. `generic`: the word names no certain entity
    by itself ("mass")."""

    finding: str
    entity: str | None
    organ: str | None
    lasting: bool
    inherits: bool
    generic: bool = False


class Naming:
    """Names heads by an ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._organs_of = lru_cache(_MEMORY)(self._all_organs)  # the same words are asked about again and again
        self._is_placed = lru_cache(_MEMORY)(self._any_placed)
        self._known = lru_cache(_MEMORY)(self._name)

    def organs(self, token: Token) -> tuple[str, ...]:
        """The organs that the head's entities can have."""
        return self._organs_of(self._candidates(token))

    def _all_organs(self, entities: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(o for e in entities for o in self._organs(self._ontology.entity(e)))

    def takes_place(self, token: Token) -> bool:
        """True where the head's organ comes from its place."""
        return self._is_placed(self._candidates(token))

    def _any_placed(self, candidates: tuple[str, ...]) -> bool:
        entities = [self._ontology.entity(e) for e in candidates]
        return any(not self._organs(e) or self._ontology.sites(e.id) for e in entities)

    def keeps_name(self, token: Token) -> bool:
        """True where the head's entity is the same at every place but the listed ones."""
        return any(self._ontology.entity(e).keeps_name for e in self._candidates(token))

    def named(self, token: Token, where: Where, above: Where) -> Named | None:
        """What the head names at a place under a heading; None where it states no fact."""
        noun, entities = token.kind == ENTITY, self._candidates(token)
        return self._known(noun, entities, where.ids, where.organ, where.beside, above.ids, above.organ)

    def _name(
        self,
        noun: bool,
        entities: tuple[str, ...],
        ids: tuple[str, ...],
        organ: str | None,
        beside: bool,
        above_ids: tuple[str, ...],
        above_organ: str | None,
    ) -> Named | None:
        where, above = Where(ids=ids, organ=organ, beside=beside), Where(ids=above_ids, organ=above_organ)
        return (self._noun if noun else self._predicate)(entities, where, above)

    def moved(self, token: Token, where: Where) -> Named | None:
        """What the head's finding is at another place ("pleural or" + "pericardial effusion")."""
        entity = self._ontology.entity(self._candidates(token)[0])
        if not entity.finding or not where.organ:
            return None
        finding = self._ontology.entity(entity.finding)
        return self._composed(finding, where.ids, where.organ, False) if self._at_home(finding, where.organ) else None

    def completed(self, finding: str, place: Where) -> Named:
        """A finding that waited for a place, given one (or its default where `place` has none)."""
        entity = self._ontology.entity(finding)
        ids, organ = (place.ids, place.organ) if self._likely(entity, place.organ) else ((), None)
        if organ is None and entity.default_place:
            ids, organ = (entity.default_place,), self._ontology.organ_of(entity.default_place)
        return self._composed(entity, ids, organ, True)

    def likely(self, token: Token, organ: str | None) -> bool:
        """True where the head may well be in an organ that only the words around it speak of."""
        return any(self._likely(self._ontology.entity(e), organ) for e in self._candidates(token))

    def _likely(self, entity: Entity, organ: str | None) -> bool:
        """A finding that takes its organ from its place is at one where it has a name; one with a usual place is
        elsewhere only in another part of the body."""
        if organ is None or self._organs(entity):
            return organ is None or organ in self._organs(entity)
        if not entity.keeps_name and organ not in self._ontology.sites(entity.id):
            return False
        usual = self._ontology.organ_of(entity.default_place) if entity.default_place else None
        if usual is None or usual == organ:
            return True
        region = self._ontology.region_of(organ)
        return region is not None and region != self._ontology.region_of(usual)

    def _candidates(self, token: Token) -> tuple[str, ...]:
        if token.form is None:
            return ()
        return token.form.entities if token.kind == ENTITY else token.form.predicates

    def _noun(self, candidates: tuple[str, ...], where: Where, above: Where) -> Named | None:
        entities = [self._ontology.entity(e) for e in candidates]
        organ = where.organ or above.organ
        entity = next((e for e in entities if organ in self._organs(e)), None) or next(
            (e for e in entities if not self._organs(e)), entities[0]
        )
        if entity.kind not in _FACTS:
            return None
        if self._organs(entity):
            return self._fixed(entity, where, above)
        return self._placed(entity, where, above)

    def _predicate(self, candidates: tuple[str, ...], where: Where, above: Where) -> Named | None:
        for entity in map(self._ontology.entity, candidates):
            if entity.kind not in _FACTS:
                continue
            ids = where.ids or above.ids
            if entity.finding:
                if any(self._ontology.contains(p, i) for p in entity.places for i in ids):
                    return self._fixed(entity, where, above)
                continue
            if entity.organs:
                if where.organ in entity.organs or (not where.organ and above.organ in entity.organs):
                    return self._fixed(entity, where, above)
                continue
            if where.organ or above.organ:
                return self._placed(entity, where, above)
        return None

    def _organs(self, entity: Entity) -> tuple[str, ...]:
        """The organs of an entity, or those of the places in its decomposition."""
        if entity.organs or not entity.finding:
            return entity.organs
        return tuple(o for o in map(self._ontology.organ_of, entity.places) if o)

    def _fixed(self, entity: Entity, where: Where, above: Where) -> Named:
        organs = self._organs(entity)
        place = next((w for w in (where, above) if w.organ in organs), None)
        organ = place.organ if place else next(iter(organs), None)
        known = self._ontology.compose(entity.id, place.ids if place else (), organ)
        return Named(entity.id, known, organ, entity.kind != "abnormality", where.organ is None)

    def _placed(self, entity: Entity, where: Where, above: Where) -> Named:
        """A finding that takes its organ from its place, else from the heading, else from what came before."""
        if where.organ and (not entity.default_place or self._at_home(entity, where.organ)):
            return self._composed(entity, where.ids, where.organ, False)._replace(generic=True)
        if where.ids and not where.beside and (listed := self._ontology.compose(entity.id, where.ids)) != entity.id:
            return self._fixed(self._ontology.entity(listed), where, above)  # "mass in the right lower quadrant"
        if above.organ:
            return self._composed(entity, above.ids, above.organ, True)._replace(generic=True)
        if above.ids and (listed := self._ontology.compose(entity.id, above.ids)) != entity.id:
            return self._fixed(self._ontology.entity(listed), where, above)  # "Pelvis: fluid"
        return Named(entity.id, None, None, entity.kind != "abnormality", True, True)

    def _at_home(self, entity: Entity, organ: str) -> bool:
        """True for an organ where a finding with a usual place has a name."""
        return entity.keeps_name or organ in self._ontology.sites(entity.id)

    def _composed(self, entity: Entity, ids: tuple[str, ...], organ: str | None, inherits: bool) -> Named:
        lasting = entity.kind != "abnormality"
        if organ is None:
            return Named(entity.id, entity.id, None, lasting, inherits)
        full = self._ontology.compose(entity.id, ids, organ)
        organs = self._organs(self._ontology.entity(full))
        return Named(entity.id, full, organ if organ in organs or not organs else organs[0], lasting, inherits)
