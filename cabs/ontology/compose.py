"""A finding and its places → the entity: cyst + kidney = renal cyst."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from cabs.ontology.model import Entity, Organ
from cabs.values import OTHER

AT = "@"
"""Between finding and organ in the id of an entity that isn't listed ("cyst@spleen")."""


class Composer:
    """Finds the entity of a finding at its places, and makes the entity where none is listed."""

    def __init__(
        self,
        entities: Mapping[str, Entity],
        organs: Mapping[str, Organ],
        chain: Callable[[str], tuple[str, ...]],
        organ_of: Callable[[str], str | None],
    ) -> None:
        self._entities, self._organs, self._chain, self._organ_of = entities, organs, chain, organ_of
        self._listed: dict[str, dict[str, str]] = {}
        for entity in entities.values():
            for finding in (entity.finding, *entity.other_findings) if entity.finding else ():
                for place in entity.places:
                    self._listed.setdefault(str(finding), {}).setdefault(place, entity.id)
        self.compose = lru_cache(maxsize=65_536)(self._compose)
        self.sites = lru_cache(maxsize=None)(self._sites)
        self._made: dict[str, Entity] = {}

    def _compose(self, finding: str, places: tuple[str, ...], organ: str | None) -> str:
        """See `Ontology.compose`. KeyError for an unknown finding."""
        if AT in finding and finding not in self._entities:
            return finding
        entity = self._entities[finding]
        if finding == OTHER:
            return OTHER
        if not places and organ is None and entity.default_place:
            places = (entity.default_place,)
        listed = self._at_places(finding, places, organ)
        if listed or entity.organs or entity.finding or entity.keeps_name or entity.kind == "root":
            return listed or finding
        root = organ or self._first_organ(places)
        return f"{finding}{AT}{root}" if root in self._organs else finding

    def _at_places(self, finding: str, places: tuple[str, ...], organ: str | None) -> str | None:
        """The listed entity: by the places of the organ, else by the organ, else by places elsewhere."""
        organ = organ or self._first_organ(places)
        if organ is None or organ not in self._organs:
            return self._common(finding, places)
        inside = tuple(place for place in places if self._organ_of(place) == organ)
        outside = tuple(place for place in places if place not in inside)
        groups = (inside, self._organs[organ].structures[:1], outside)
        return next(filter(None, (self._common(finding, group) for group in groups)), None)

    def _first_organ(self, places: tuple[str, ...]) -> str | None:
        return next(filter(None, map(self._organ_of, places)), None)

    def _common(self, finding: str, places: tuple[str, ...]) -> str | None:
        """The nearest listed entity that all places share; else the nearest of the first place that has
        one."""
        lines = [line for line in (tuple(self._line(finding, place)) for place in places) if line]
        if not lines:
            return None
        shared = next((id for id in lines[0] if all(id in line for line in lines)), lines[0][0])
        return next((line[0] for line in lines if self._narrows(line[0], shared, lines)), shared)

    def _narrows(self, id: str, shared: str, lines: list[tuple[str, ...]]) -> bool:
        """Whether an entity is a kind of the shared one, and of what every other place says ("L2" + "transverse
        process")."""
        above = set(self._parents(id))
        return shared in above and all(line[0] == id or line[0] in above for line in lines)

    def _parents(self, id: str) -> Iterator[str]:
        parent = self._entities[id].parent if id in self._entities else None
        while parent is not None and parent in self._entities:
            yield parent
            parent = self._entities[parent].parent

    def _line(self, finding: str, place: str) -> Iterator[str]:
        """The listed entities of a finding at a place and above it, as far as the place's organ reaches."""
        listed = self._listed.get(finding)
        organ = self._organ_of(place)
        for above in self._chain(place) if listed else ():
            if organ is not None and self._organ_of(above) != organ:
                return
            if listed and above in listed:
                yield listed[above]

    def _sites(self, finding: str) -> frozenset[str]:
        """The organs that have a listed entity of this finding."""
        return frozenset(o for place in self._listed.get(finding, ()) if (o := self._organ_of(place)))

    def composed(self, id: str) -> Entity:
        """The entity of a composed id. KeyError where the id is unknown or doesn't compose."""
        made = self._made.get(id)
        if made is None:
            finding, at, organ = id.partition(AT)
            if not at or organ not in self._organs or finding not in self._entities:
                raise KeyError(id)
            made = self._made[id] = self._make(id, self._entities[finding], self._organs[organ])
        return made

    def _make(self, id: str, finding: Entity, organ: Organ) -> Entity:
        label = f"{organ.adjective or organ.label} {finding.label}"
        return Entity(
            id, label, finding.id, finding.kind, (organ.id,), finding.id, organ.structures, None, None,
            (), False, (), (), (), None, (), None, "", {}, (),
        )  # fmt: skip
