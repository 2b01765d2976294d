"""A name → its entity, if every word of the name is explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING

from cabs.ontology.model import Entity
from cabs.ontology.names import Names, joined
from cabs.values import OTHER

if TYPE_CHECKING:
    from cabs.ontology.ontology import Ontology

Words = tuple[str, ...]
Step = tuple[int, tuple[str, ...]]
"""From a word to this one over a place of these ids, or over an attribute."""
_READINGS = 64
"""At most so many combinations of ambiguous place words, and ways to part words into places, are tried."""
LONGEST = 48
"""Words of a name at most: trying to explain one takes a time that grows with the square of them, and beyond there are
texts, no names."""


class NameIndex:
    """Normalised names → ids, for the entities, places and attributes of an ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self.names = Names(ontology.spelling)
        self.entities: dict[str, list[str]] = {}
        self.predicates: dict[str, list[str]] = {}
        self.places: dict[str, list[str]] = {}
        self.extras: set[str] = set()
        self.blocked: dict[str, tuple[Words, ...]] = {}
        self._fill_entities(ontology)
        self._fill_places(ontology)
        self._fill_extras(ontology)
        self._fill_shared(ontology)
        tables = (self.entities, self.predicates, self.places, self.extras)
        self.longest = max((key.count(" ") + 1 for table in tables for key in table), default=0)

    def _add(self, table: dict[str, list[str]], texts: Iterable[str], id: str) -> None:
        for text in texts:
            ids = table.setdefault(self.names.key(text), [])
            if id not in ids:
                ids.append(id)

    def _fill_entities(self, ontology: Ontology) -> None:
        entities = [entity for entity in ontology.entities.values() if entity.kind != "root" and entity.id != OTHER]
        for entity in entities:
            self._add(self.entities, (entity.label,), entity.id)
            if entity.blocked:
                self.blocked[entity.id] = tuple(self.names.words(text) for text in entity.blocked)
        for entity in entities:
            self._add(self.entities, entity.forms, entity.id)
            self._add(self.predicates, entity.predicates, entity.id)
        for entity in entities:
            self._add(self.entities, entity.abbreviations, entity.id)
        self.entities.pop("", None)

    def _fill_places(self, ontology: Ontology) -> None:
        structures = ontology.structures.values()
        for structure in structures:
            self._add(self.places, (structure.label, *structure.forms), structure.id)
        for organ in ontology.organs.values():
            for root in organ.structures[:1]:
                self._add(self.places, filter(None, (organ.label, organ.adjective)), root)
        for structure in structures:
            self._add(self.places, (*structure.adjectives, *structure.abbreviations), structure.id)
        self.places.pop("", None)

    def _fill_extras(self, ontology: Ontology) -> None:
        values = (value for kind in ontology.attribute_kinds.values() for value in kind.values.values())
        sides = (rule for rule in ontology.rules if rule.cls == "side")
        for forms in (*(value.forms for value in values), *(rule.forms for rule in sides)):
            self.extras.update(self.names.key(form) for form in forms)
        self.extras.discard("")

    def _fill_shared(self, ontology: Ontology) -> None:
        """Shared forms: the listed ids first; of an abbreviation, the reading that holds anywhere first."""
        readings = sorted(ontology.abbreviation_rules, key=lambda rule: bool(rule.when))
        shared = [(form.form, form.ids) for form in ontology.ambiguous]
        shared += [(rule.abbr, (rule.reading,)) for rule in reversed(readings)]
        for text, ids in shared:
            for table, members in ((self.entities, ontology.entities), (self.places, ontology.structures)):
                listed = [id for id in ids if id in members]
                key = self.names.key(text)
                if listed:
                    table[key] = listed + [id for id in table.get(key, ()) if id not in listed]


class Resolver:
    """Answers `Ontology.resolve`; the last answers are remembered."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self.index = NameIndex(ontology)
        self.resolve = lru_cache(maxsize=16_384)(self._resolve)

    def _resolve(self, name: str) -> str | None:
        words = self.index.names.words(name)
        if len(words) > LONGEST:
            return None
        for window in self._windows(words):
            listed = self.index.entities.get(joined(window))
            found = listed[0] if listed else self._composed(window)
            if found is not None:
                return found
        return None

    def _windows(self, words: Words) -> Iterator[Words]:
        """The name, then what is left of it without attribute words at its ends, the longest first."""
        size = len(words)
        starts = [i for i in range(size) if self._only_extras(words[:i])]
        stops = [j for j in range(size, 0, -1) if self._only_extras(words[j:])]
        pairs = [(start, stop) for start in starts for stop in stops if start < stop]
        pairs.sort(key=lambda pair: (pair[0] - pair[1], -pair[0]))
        for start, stop in pairs:
            yield words[start:stop]

    def _only_extras(self, words: Words) -> bool:
        return next(self._places(words, extras_only=True), None) is not None

    def _composed(self, words: Words) -> str | None:
        for table in (self.index.entities, self.index.predicates):
            for start, stop in self._spans(len(words)):
                heads = table.get(joined(words[start:stop]), ())
                for places in self._around(words, start, stop) if heads else ():
                    heads_here = [
                        self._ontology.entities[id] for id in heads if not self._blocked(id, words, start, stop)
                    ]
                    found = self._reading(heads_here, places, needs_place=table is self.index.predicates)
                    if found is not None:
                        return found
        return None

    def _spans(self, size: int) -> Iterator[tuple[int, int]]:
        """All spans shorter than the name, the longest first, of these the last first: a head stands at the
        end."""
        for length in range(min(size - 1, self.index.longest), 0, -1):
            for start in range(size - length, -1, -1):
                yield start, start + length

    def _around(self, words: Words, start: int, stop: int) -> Iterator[tuple[tuple[str, ...], ...]]:
        pairs = product(self._places(words[:start]), self._places(words[stop:]))
        return islice((before + after for before, after in pairs), _READINGS)

    def _places(self, words: Words, extras_only: bool = False) -> Iterator[tuple[tuple[str, ...], ...]]:
        """The ways to read all these words as places and attributes, the first of them: the candidate ids of each
        place."""
        return islice(_walks(self._steps(words, extras_only), 0), _READINGS)

    def _steps(self, words: Words, extras_only: bool) -> list[list[Step]]:
        """From each word the steps by which the last one can be reached, the longest first."""
        steps: list[list[Step]] = [[] for _ in words]
        reaching = {len(words)}
        for start in reversed(range(len(words))):
            for stop in range(min(len(words), start + self.index.longest), start, -1):
                key = joined(words[start:stop]) if stop in reaching else ""
                ids = () if extras_only else tuple(self.index.places.get(key, ()))
                if ids or key in self.index.extras:
                    steps[start].append((stop, ids))
            if steps[start]:
                reaching.add(start)
        return steps

    def _blocked(self, id: str, words: Words, start: int, stop: int) -> bool:
        """Whether the words around a head make it part of a phrase that means something else."""
        for phrase in self.index.blocked.get(id, ()):
            for at in range(max(0, stop - len(phrase)), start + 1):
                if words[at : at + len(phrase)] == phrase:
                    return True
        return False

    def _reading(self, heads: list[Entity], places: tuple[tuple[str, ...], ...], needs_place: bool) -> str | None:
        """The entity of one of these heads at these places; a listed entity before a composed one."""
        if needs_place and not places:
            return None
        found: str | None = None
        readings = (
            (head, chosen) for head in heads for chosen in product(*places)
        )  # a product of products would hold all
        for head, chosen in islice(readings, _READINGS):
            made = self._at(head, chosen)
            if made is not None and made != head.id and made in self._ontology.entities:
                return made
            found = found or made
        return found

    def _at(self, head: Entity, places: tuple[str, ...]) -> str | None:
        if not places:
            return head.id
        made = self._ontology.entity(self._ontology.compose(head.id, places))
        fits = not made.organs or all(self._fits(made, place) for place in places)
        return made.id if fits else None

    def _fits(self, head: Entity, place: str) -> bool:
        """Whether an entity with organs of its own can be at a place: in or around one of them, or at a word
        of position that says no organ."""
        inside = self._ontology.organs_in(place)
        organ = self._ontology.organ_of(place)
        return organ in head.organs or not inside.isdisjoint(head.organs) or not inside


def _walks(steps: list[list[Step]], at: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """The ways from a word to the last one: the candidate ids of each place."""
    if at == len(steps):
        yield ()
        return
    for stop, ids in steps[at]:
        for rest in _walks(steps, stop):
            yield ((ids,) if ids else ()) + rest
