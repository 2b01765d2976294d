"""Looking things up by word: what contains it, then what is spelt nearly like it. For readers, never for
matching."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz import fuzz, process

from cabs.ontology.names import Names
from cabs.ontology.ontology import Ontology

TYPES = ("abnormality", "device", "postoperative", "variant", "artifact", "structure", "organ", "attribute")
"""The types of record that can be searched for alone."""


class Hit(NamedTuple):
    """A record that a search found: its id, label and type, and the name that was hit, with its likeness (0
    to 100)."""

    id: str
    label: str
    type: str
    name: str
    score: float


def search(ontology: Ontology, term: str, limit: int = 20, type: str | None = None) -> list[Hit]:
    """The records whose id or names hold `term` or are spelt like it, the likest first, each once.

    `type`: only records of this type (an entity kind, "structure", "organ" or "attribute"). [] for an empty
    term.
    """
    keys = Names(ontology.spelling)
    entries = [entry for entry in named(ontology) if type in (None, entry.type)]
    wanted = " ".join(keys.words(term))
    if not wanted:
        return []
    spelt = [" ".join(keys.words(entry.name.replace("_", " "))) for entry in entries]
    likest = process.extract(wanted, spelt, scorer=_likeness, limit=len(spelt), score_cutoff=75)
    found: dict[str, Hit] = {}
    for _, score, at in likest:
        found.setdefault(entries[at].id, entries[at]._replace(score=round(score, 1)))
    return list(found.values())[:limit]


def _likeness(wanted: str, name: str, *, score_cutoff: float | None = None) -> float:
    """100 for the same name, from 90 for a name that holds the term, less for one that is only spelt like
    it."""
    if wanted == name:
        return 100.0
    if f" {wanted} " in f" {name} ":
        return 95.0 + 4.0 * len(wanted) / len(name)
    if wanted in name:
        return 90.0 + 4.0 * len(wanted) / len(name)
    return min(89.0, fuzz.ratio(wanted, name, score_cutoff=score_cutoff))


def named(ontology: Ontology) -> Iterator[Hit]:
    """Every name of every record, as a hit without likeness."""
    for entity in ontology.entities.values():
        for name in (entity.label, *entity.forms, *entity.abbreviations, *entity.predicates, entity.id):
            yield Hit(entity.id, entity.label, entity.kind, name, 0.0)
    for structure in ontology.structures.values():
        for name in (
            structure.label,
            *structure.forms,
            *structure.abbreviations,
            *structure.adjectives,
            structure.id,
        ):
            yield Hit(structure.id, structure.label, "structure", name, 0.0)
    for organ in ontology.organs.values():
        for name in filter(None, (organ.label, organ.adjective, organ.id)):
            yield Hit(organ.id, organ.label, "organ", name, 0.0)
    for kind in ontology.attribute_kinds.values():
        for value in kind.values.values():
            for name in (value.value, *value.forms):
                yield Hit(f"{kind.kind}={value.value}", value.value, "attribute", name, 0.0)
