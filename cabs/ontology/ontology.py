"""The ontology as one immutable value, and the questions that parsing, matching and metrics ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar

from cabs.ontology.compose import Composer
from cabs.ontology.forms import Spelling, Surface
from cabs.ontology.hierarchy import Tree
from cabs.ontology.model import AttributeKind, Entity, Organ, Significance, Structure
from cabs.ontology.opposites import Opposites
from cabs.ontology.origin import Raw
from cabs.ontology.resolve import Resolver
from cabs.ontology.rules import (
    AbbreviationRule,
    AmbiguousForm,
    AttributePattern,
    ContextRule,
    Crosswalk,
    DistinctPair,
    Group,
    SectionRule,
    SizeShift,
    Weights,
)
from cabs.signature import HASH_LENGTH

T = TypeVar("T")
_REMEMBERED = 1 << 14


@dataclass(frozen=True, eq=False)
class Ontology:
    """Everything that CABS knows, as `load_ontology` made it. Never changed; share it between threads freely.

    `content_hash` is the SHA-256 (hex) of the content, whatever the split into files, their order and layout.
    `organs`, `structures`, `entities` and `attribute_kinds` are by id, in the order of the ids. The rule
    records are as their files have them. `slot_costs`: the share (0 to below 1) of a fact's weight that a
    wrong side, place or certainty takes. `groups`, by id, are no part of `content_hash`; each has its own.
    `origins` tells the file and line of every record, as (kind, id), or (kind, record) for those without an
    id. Pickling keeps only where it was loaded from.
    """

    name: str
    version: str
    content_hash: str
    organs: Mapping[str, Organ]
    structures: Mapping[str, Structure]
    entities: Mapping[str, Entity]
    attribute_kinds: Mapping[str, AttributeKind]
    attribute_patterns: tuple[AttributePattern, ...]
    rules: tuple[ContextRule, ...]
    section_rules: tuple[SectionRule, ...]
    abbreviation_rules: tuple[AbbreviationRule, ...]
    ambiguous: tuple[AmbiguousForm, ...]
    distinct: tuple[DistinctPair, ...]
    crosswalks: Mapping[str, Crosswalk]
    weights: Weights
    slot_costs: Mapping[str, float]
    groups: Mapping[str, Group]
    opposites: Opposites
    spelling: Spelling
    origins: Mapping[tuple[str, Any], Raw] = field(repr=False)
    source: tuple[str | None, tuple[str, ...]] = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        from cabs.ontology.load import load_ontology

        return load_ontology, self.source

    @cached_property
    def files(self) -> Mapping[tuple[str, Any], str]:
        """The file of every record, by the keys of `origins`."""
        return {key: raw.file for key, raw in self.origins.items()}

    @cached_property
    def _places(self) -> Tree:
        return Tree({s.id: s.parent for s in self.structures.values()})

    @cached_property
    def _kinds_of(self) -> Tree:
        return Tree({e.id: e.parent for e in self.entities.values()})

    @cached_property
    def _composer(self) -> Composer:
        return Composer(self.entities, self.organs, self._place_chain, self.organ_of)

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self)

    @cached_property
    def _known(self) -> dict[Any, Any]:
        return {}

    def remembering(self, answer: Callable[..., T]) -> Callable[..., T]:
        """A function of an ontology and further arguments as one of these alone, its latest answers kept; they go when
        the ontology does. The arguments must be hashable, and the same ones must always have the same answer."""
        known: Callable[..., T] | None = self._known.get(answer)
        if known is None:
            known = self._known.setdefault(answer, lru_cache(maxsize=_REMEMBERED)(partial(answer, self)))
        return known

    # Entities

    def entity(self, id: str) -> Entity:
        """The entity of an id. A composed id ("cyst@spleen") gives an entity made of finding and organ.

        Raises KeyError for an unknown id.
        """
        listed = self.entities.get(id)
        return listed if listed is not None else self._composer.composed(id)

    def compose(self, finding: str, place_ids: Iterable[str] = (), organ: str | None = None) -> str:
        """The id of a finding at these places, or at this organ: the most specific listed entity.

        Each place is walked up its part_of and is_a ancestors within its own organ, up to a listed entity
        with this finding and that place; an organ counts as its structures. What all places share comes
        before what one has, unless that only narrows what the others say. Where none is listed, the
        finding's default place is tried. Without a listed entity: "finding@organ" for a finding that takes
        its organ from its place, else the finding.
        """
        return self._composer.compose(finding, tuple(place_ids), organ)

    def sites(self, finding: str) -> frozenset[str]:
        """The organs where a finding makes a listed entity (effusion: pleura, pericardium, ...)."""
        return self._composer.sites(finding)

    def resolve(self, name: str) -> str | None:
        """The entity id of a name, or None. Nothing is guessed: every word of the name must be explained.

        First as a full name (label, form or abbreviation, whatever case, number, spelling, hyphens or word
        order); then without attribute and side words at either end; then as a finding with anatomy words,
        which compose. A form that several entities share gives the first of its listed ids. A text of more
        than `resolve.LONGEST` words is no name: None.
        """
        return self._resolver.resolve(name)

    def ancestors(self, id: str) -> tuple[str, ...]:
        """The is-a ancestors of an entity, nearest first, without itself. KeyError for an unknown id."""
        if id in self.entities:
            return self._kinds_of.ancestors(id)
        parent = str(self.entity(id).parent)
        return (parent, *self._kinds_of.ancestors(parent))

    def is_a(self, id: str, ancestor: str) -> bool:
        """Whether an entity is another one or a kind of it. False for unknown ids."""
        if id == ancestor:
            return True
        try:
            return ancestor in self.ancestors(id)
        except KeyError:
            return False

    @property
    def stamp(self) -> str:
        """Name, version and the content hash as signatures shorten it: `cabs-radiology@1.0.0/0f3a9c5e21b7`."""
        return f"{self.name}@{self.version}/{self.content_hash[:HASH_LENGTH]}"

    def in_group(self, group: str, entity_id: str, organ: str | None) -> bool:
        """Whether an entity at an organ (None: unknown) is a member of a group. The rule of the entity itself, else of
        its nearest ancestor that has one which holds at the organ, decides; of several the last. False where none
        does, and for unknown entities. KeyError for an unknown group."""
        rules = self.groups[group].rules
        try:
            line = (entity_id, *self.ancestors(entity_id))
        except KeyError:
            return False
        for id in line:
            found = [rule.member for rule in rules if rule.is_a == id and rule.reaches(organ)]
            if found:
                return found[-1]
        return False

    def significance(self, entity_id: str) -> Significance:
        """The clinical class of an entity: its own, else by its nearest ancestor or class rule, else by its
        kind."""
        known: Significance | None = self._known.get(("significance", entity_id))
        if known is None:
            known = self._known["significance", entity_id] = self._significance(entity_id)
        return known

    def _significance(self, entity_id: str) -> Significance:
        by_id = {rule.is_a: rule.significance for rule in self.weights.rules if rule.is_a}
        by_kind = {rule.kind: rule.significance for rule in self.weights.rules if rule.kind and not rule.is_a}
        entity = self.entity(entity_id)
        for id in (entity_id, *self.ancestors(entity_id)):
            own = self.entity(id).significance if id in self.entities or id == entity_id else None
            if own or id in by_id:
                return own or by_id[id]
        return by_kind.get(entity.kind, self.weights.default)

    def weight(self, entity_id: str) -> float:
        """The weight of an entity's class: 1, .5, .25 or .1 unless significance.yaml says otherwise."""
        return self.weights.weights[self.significance(entity_id)]

    @property
    def size_shifts(self) -> tuple[SizeShift, ...]:
        """The rules by which size shifts the class."""
        return self.weights.shifts

    # Places

    def place_ancestors(self, id: str) -> tuple[str, ...]:
        """The part_of and is_a ancestors of a structure, nearest first, without itself. () for an unknown
        id."""
        return self._places.ancestors(id) if id in self.structures else ()

    def _place_chain(self, id: str) -> tuple[str, ...]:
        return (id, *self.place_ancestors(id))

    def contains(self, place: str, other: str) -> bool:
        """Whether `other` is `place` or lies within it (by part_of and is_a)."""
        return place == other or place in self.place_ancestors(other)

    def organs_in(self, place: str) -> frozenset[str]:
        """The organs at or within a structure; none for a word of position ("upper pole")."""
        return self._organs_in.get(place, frozenset())

    @cached_property
    def _organs_in(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for id, organ in self._organ_of.items():
            for place in self._place_chain(id) if organ is not None else ():
                found.setdefault(place, set()).add(str(organ))
        return {place: frozenset(organs) for place, organs in found.items()}

    def region_of(self, organ: str) -> str | None:
        """The part of the body that an organ lies in; None for one that lies in several (bone, vessel)."""
        root = self.organs[organ].structures[:1]
        line = self._place_chain(root[0])[-2:] if root else ()
        return line[0] if len(line) == 2 and self.organ_of(line[0]) is None else None

    def organ_of(self, structure_id: str) -> str | None:
        """The organ of a structure: its own, else its nearest ancestor's, else None."""
        return self._organ_of.get(structure_id)

    @cached_property
    def _organ_of(self) -> Mapping[str, str | None]:
        structures = self.structures
        lines = ((id, [structures[above].organ for above in self._place_chain(id)]) for id in structures)
        return {id: next(filter(None, line), None) for id, line in lines}

    # Names

    def surface_forms(self, record: Entity | Structure) -> tuple[Surface, ...]:
        """Every way to write the label, the forms and the abbreviations of an entity or structure."""
        key = (type(record), record.id)
        known: tuple[Surface, ...] | None = self._known.get(key)
        if known is None:
            known = self._known[key] = self.spelling.surfaces((record.label, *record.forms), record.abbreviations)
        return known

    def variants(self, texts: Iterable[str], noun: bool = False) -> tuple[str, ...]:
        """Every spelling of these words; with `noun` their plurals too. For cues, attributes and
        adjectives."""
        return self.spelling.variants(texts, noun)
