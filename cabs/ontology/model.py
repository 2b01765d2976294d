"""The ontology in memory: immutable records and the questions that parsing, matching and metrics ask of
them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cabs.values import Side

EntityKind = Literal["abnormality", "device", "postoperative", "variant", "artifact", "root"]
Significance = Literal["critical", "actionable", "minor", "benign"]


@dataclass(frozen=True, slots=True)
class Organ:
    """One id of the organ axis. `structures` are the anatomy ids at which the organ starts; `adjective` makes
    the names of compounds ("hepatic" + "mass"); `paired` organs have a right and a left one."""

    id: str
    label: str
    adjective: str
    paired: bool
    structures: tuple[str, ...]
    crosswalk: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Structure:
    """A place of the body. `side` is the side that the structure itself lies on ("right upper lobe"), or
    "paired" for one that exists on both ("kidney"), or "midline". `organ` is inherited from the parent where
    unset."""

    id: str
    label: str
    parent: str | None
    relation: Literal["part_of", "is_a", "root"]
    side: Literal["right", "left", "paired", "midline"]
    organ: str | None
    forms: tuple[str, ...]
    adjectives: tuple[str, ...]
    abbreviations: tuple[str, ...]
    xrefs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Entity:
    """An abnormality, device or postoperative state (variants and artifacts are recognised, but are no
    facts).

    `finding` + `places`: the decomposition (cyst + kidney = renal cyst). `organs`: the organs it can have,
    the usual one first; empty: the place decides. `predicates` are the words that state it of a subject
    ("dilated"), `predicate_attribute` what these words mean in front of another entity ("enlarged" + lymph
    node). `default_place` is assumed where the text gives none. A place of `places` whose smallest axis is
    `measured_from` mm or more states the entity by its size alone (a lymph node of 10 mm). `other_findings`
    at the same places are the entity too (plaque + coronary artery). `keeps_name`: a finding that takes its
    organ from its place, but is the same entity everywhere (degenerative change).
    """

    id: str
    label: str
    parent: str | None
    kind: EntityKind
    organs: tuple[str, ...]
    finding: str | None
    places: tuple[str, ...]
    default_place: str | None
    measured_from: float | None
    other_findings: tuple[str, ...]
    keeps_name: bool
    forms: tuple[str, ...]
    abbreviations: tuple[str, ...]
    predicates: tuple[str, ...]
    predicate_attribute: tuple[str, str] | None
    blocked: tuple[str, ...]
    significance: Significance | None
    significance_source: str
    xrefs: Mapping[str, str]
    label_sets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the facts that it states, in the notation of `cabs.ontology.examples`.

    `facts` is None where the example says nothing about facts (only that its rule matches the text, or
    doesn't).
    """

    text: str
    facts: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """One value of an attribute kind. `rank` orders the values of an ordered kind (None where it isn't).

    `compatible` values say nearly the same, `opposites` can't stand beside it. Either value of a pair may
    list the other.
    """

    value: str
    rank: float | None
    forms: tuple[str, ...]
    compatible: frozenset[str]
    significance_shift: int
    opposites: frozenset[str] = frozenset()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeKind:
    """How values of a kind compare.

    `compare`: "size" (tolerance), "ordered" (`tolerance` in ranks), "exclusive" (one value at a time), "set"
    (values stand beside each other; only listed opposites conflict) or "free" (words, never in conflict).
    `clinical` kinds disagree where only the prediction states them. `cost` is the share of a fact's weight
    that a conflict takes.
    """

    kind: str
    compare: Literal["size", "ordered", "exclusive", "set", "free"]
    tolerance: float
    clinical: bool
    cost: float
    values: Mapping[str, AttributeValue]


def sides_of(side: Side | None) -> frozenset[str]:
    """The side set of a fact: bilateral = right + left, None = empty."""
    if side is None:
        return frozenset()
    return frozenset(("right", "left")) if side == "bilateral" else frozenset((side,))
