"""The schema of the ontology's YAML files: one model per record kind, unknown fields refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cabs.ontology.model import EntityKind, Significance
from cabs.ontology.rules import CueClass, Direction, Reach, Role
from cabs.ontology.suggest import meant

_ID = r"^[A-Za-z0-9_]+$"
Id = Annotated[str, Field(pattern=_ID)]
"""What names a record."""


class Record(BaseModel):
    """What all records share: no unknown field, no silent conversion ("12" is not 12)."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class ManifestRecord(Record):
    """ontology.yaml: name, version and licence."""

    name: str
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    licence: str = ""
    description: str = ""


class OrganRecord(Record):
    """organs.yaml."""

    id: Id
    label: str
    adjective: str = ""
    paired: bool = False
    structures: list[str] = []
    crosswalk: dict[str, str] = {}


class StructureRecord(Record):
    """anatomy/*.yaml."""

    id: Id
    label: str
    parent: str | None = None
    relation: Literal["part_of", "is_a", "root"] = "part_of"
    side: Literal["right", "left", "paired", "midline"] = "midline"
    organ: str | None = None
    forms: list[str] = []
    adjectives: list[str] = []
    abbreviations: list[str] = []
    xrefs: dict[str, str] = {}


class EntityRecord(Record):
    """entities/*.yaml."""

    id: Id
    label: str
    parent: str | None = None
    kind: EntityKind = "abnormality"
    organs: list[str] = []
    finding: str | None = None
    places: list[str] = []
    default_place: str | None = None
    measured_from: float | None = Field(default=None, gt=0)
    other_findings: list[str] = []
    keeps_name: bool = False
    forms: list[str] = []
    abbreviations: list[str] = []
    predicates: list[str] = []
    predicate_attribute: list[str] | None = Field(default=None, min_length=2, max_length=2)
    blocked: list[str] = []
    significance: Significance | None = None
    significance_source: str = ""
    xrefs: dict[str, str] = {}
    label_sets: list[str] = []


class ExampleRecord(Record):
    """A text with the facts that it states, all of them."""

    text: str
    facts: list[str] | None = None


Examples = list[str | ExampleRecord]


class ValueRecord(Record):
    """One value of an attribute kind."""

    value: Id
    rank: float | None = None
    forms: list[str] = []
    compatible: list[str] = []
    opposites: list[str] = []
    significance_shift: int = 0
    examples: Examples = []


class PatternRecord(Record):
    """A regular expression that states an attribute."""

    regex: str
    needs: list[str] = []
    value: str | None = None
    match: Examples = []
    no_match: Examples = []


class KindRecord(Record):
    """attributes.yaml."""

    kind: Id
    compare: Literal["size", "ordered", "exclusive", "set", "free"]
    tolerance: float = 0.0
    clinical: bool = False
    cost: float = Field(ge=0, lt=1)
    values: list[ValueRecord] = []
    patterns: list[PatternRecord] = []


class RuleRecord(Record):
    """context/*.yaml."""

    id: Id
    cls: CueClass = Field(alias="class")
    value: str | None = None
    forms: list[str]
    direction: Direction = "forward"
    reach: Reach = "clause"
    match: Examples = []
    no_match: Examples = []


class AbbreviationRecord(Record):
    """abbreviations.yaml: one reading of an ambiguous abbreviation."""

    abbr: str
    reading: str
    when: list[str] = []
    unless: list[str] = []
    match: Examples = []
    no_match: Examples = []


class SectionRecord(Record):
    """sections.yaml."""

    role: Role
    headings: list[str]
    match: Examples = []
    no_match: Examples = []
    brief: bool = False


class AmbiguousRecord(Record):
    """ambiguous.yaml: a form that several concepts share on purpose."""

    form: str
    ids: list[str] = Field(min_length=2)
    why: str = ""


class DistinctRecord(Record):
    """distinct.yaml: two names that are two entities; written [a, b, why] or with these fields."""

    a: str
    b: str
    why: str = ""


class CrosswalkRecord(Record):
    """crosswalks/*.yaml: an external label set."""

    name: str
    source: str = ""
    labels: dict[str, str | list[str] | None]


class SignificanceRuleRecord(Record):
    """The class of all entities below one, or of one kind."""

    significance: Significance
    is_a: str | None = None
    kind: str | None = None
    source: str = "editorial"


class SizeShiftRecord(Record):
    """A step up or down by size."""

    is_a: str
    at_least_mm: float | None = None
    below_mm: float | None = None
    shift: Literal[-1, 1]
    source: str = "editorial"


class SignificanceRecord(Record):
    """significance.yaml."""

    default: Significance = "minor"
    weights: dict[str, float] = {"critical": 1.0, "actionable": 0.5, "minor": 0.25, "benign": 0.1}
    rules: list[SignificanceRuleRecord] = []
    shifts: list[SizeShiftRecord] = []


class GroupRuleRecord(Record):
    """Whether the entities below one are members of a group, at some organs or at all."""

    is_a: str
    organs: list[str] = []
    member: bool = True


class GroupRecord(Record):
    """groups.yaml: entities that a task counts as one kind of thing."""

    id: Id
    label: str
    stands_for: str
    source: str = ""
    rules: list[GroupRuleRecord] = Field(min_length=1)
    compared: dict[str, list[str]] = {}
    match: Examples = []
    no_match: Examples = []


class SlotRecord(Record):
    """slots.yaml: what a wrong slot that is no attribute costs, as a share of the fact's weight."""

    slot: Literal["side", "place", "certainty"]
    cost: float = Field(ge=0, lt=1)


class OppositesRecord(Record):
    """opposites.yaml: groups of prefixes and of stems that mean different things."""

    prefixes: list[list[str]] = []
    words: list[list[str]] = []


class EndingRecord(Record):
    """Endings whose British and American spelling differ behind certain stems."""

    stems: list[str]
    pair: list[str] = Field(min_length=2, max_length=2)
    tails: list[str]


class SpellingRecord(Record):
    """spelling.yaml."""

    minor: list[str] = []
    ordinary: list[str] = []
    everyday: list[str] = []
    foreign: list[str] = []
    linkers: list[str] = []
    letters: list[list[str]] = []
    endings: list[EndingRecord] = []
    keep: list[str] = []
    plurals: list[list[str]] = []
    singulars: list[str] = []
    prefixes: list[str] = []


def faults(error: ValidationError, model: type[Record]) -> list[str]:
    """The messages of a refused record, each with its field: "forms.3: input should be a valid string"."""
    return [f"{_field(fault['loc'])}: {_said(fault, model)}" for fault in error.errors(include_url=False)]


def missing(error: ValidationError) -> list[str]:
    """The fields that a refused record lacks, if that is all that is wrong with it."""
    found = error.errors(include_url=False)
    return [_field(fault["loc"]) for fault in found] if all(fault["type"] == "missing" for fault in found) else []


def _field(loc: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in loc if part not in ("str", "ExampleRecord")) or "record"


def _said(fault: Any, model: type[Record]) -> str:
    given = fault["input"]
    if fault["type"] == "extra_forbidden":
        return f"unknown field{meant(str(fault['loc'][-1]), _known(model, fault['loc'][:-1]))}"
    if fault["type"] == "missing":
        return "missing"
    if fault["type"] == "literal_error":
        known = re.findall("'([^']*)'", fault["ctx"]["expected"]) or [fault["ctx"]["expected"]]
        return f"unknown value {given!r}{meant(str(given), known)}; known are {', '.join(known)}"
    if fault["type"] == "string_pattern_mismatch" and fault["ctx"]["pattern"] == _ID:
        made = re.sub(r"[^A-Za-z0-9]+", "_", given).strip("_").lower()
        return f"{given!r} may hold letters, digits and underscores alone" + (f": {made}" if made else "")
    message = fault["msg"][:1].lower() + fault["msg"][1:]
    return f"{message}, not {given!r}" if not isinstance(given, dict) else message


def _known(model: type[BaseModel], loc: tuple[Any, ...]) -> set[str]:
    """The fields of the record at a place within a record."""
    for part in loc:
        field = model.model_fields.get(part) if isinstance(part, str) else None
        model = next(_models(field.annotation), model) if field is not None else model
    return {field.alias or name for name, field in model.model_fields.items()}


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The record types within a type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
