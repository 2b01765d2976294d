"""The rule records of an ontology: cues, sections, abbreviations, patterns and the examples that keep them
honest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from cabs.ontology.model import Example, Significance
from cabs.values import Likelihood

CueClass = Literal[
    "affirm", "alternative", "anaphora", "certainty", "change", "comparison", "exam", "exception", "filler",
    "global_denial", "history", "measure", "negation", "normality", "preposition", "prior", "pseudo",
    "recommendation", "reference", "side", "terminator",
]  # fmt: skip
"""What a cue can do: every class that the parser knows."""

DENIED_NOUN = "head"
"""The value of a global denial that needs a negation in front of it ("abnormality"); others name an organ."""
VALUES: Mapping[CueClass, tuple[str, ...]] = {
    "anaphora": ("same", "other", "largest"),
    "certainty": get_args(Likelihood),
    "exception": ("hard",),
    "history": ("procedure", "disease"),
    "preposition": ("in", "into", "near", "adjacent"),
    "side": ("right", "left", "bilateral", "same", "opposite"),
    "terminator": ("hard",),
}
"""The values that the parser tells apart, by class. Those of change are the values of the attribute kind of that name,
those of a global denial the organs and `DENIED_NOUN`. In other classes a value is a remark."""
VALUED: frozenset[CueClass] = frozenset(("anaphora", "certainty", "change", "global_denial", "side"))
"""The classes that mean nothing without a value."""

Direction = Literal["forward", "backward", "both"]
Reach = Literal["phrase", "list", "clause", "sentence"]
Role = Literal["findings", "impression", "ignored"]


@dataclass(frozen=True, slots=True)
class ContextRule:
    """Words that change what a finding near them means.

    `cls` is what they do (negation, certainty, change, history, side ...), `value` the value that they give,
    if any. They act on what stands after them (forward), before them (backward) or on both sides, as far as
    `reach`.
    """

    id: str
    cls: CueClass
    value: str | None
    forms: tuple[str, ...]
    direction: Direction
    reach: Reach
    match: tuple[Example, ...]
    no_match: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class SectionRule:
    """Headings that open a section of one role; "ignored" sections are not annotated. `brief`: the words behind such a
    heading are one sentence, where the report has no heading of its own for the findings."""

    role: Role
    headings: tuple[str, ...]
    match: tuple[Example, ...]
    no_match: tuple[Example, ...]
    brief: bool = False


@dataclass(frozen=True, slots=True)
class AbbreviationRule:
    """One reading (an entity or structure id) of an ambiguous abbreviation.

    It holds where the report has a word of `when` (always, if `when` is empty) and none of `unless`; the
    first rule of an abbreviation that holds decides.
    """

    abbr: str
    reading: str
    when: tuple[str, ...]
    unless: tuple[str, ...]
    match: tuple[Example, ...]
    no_match: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class AttributePattern:
    """A regular expression, whatever the case, whose match is an attribute of this kind.

    `value` is the value that it states; None: the words say no listed value. It is tried only on texts that
    hold one of the lower-case words `needs` ("0" stands for any digit), if there are any.
    """

    kind: str
    value: str | None
    regex: str
    needs: tuple[str, ...]
    match: tuple[Example, ...]
    no_match: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class AmbiguousForm:
    """A surface form that several concepts share on purpose; the first id is meant where nothing decides."""

    form: str
    ids: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class DistinctPair:
    """Two names that must never become one entity, and why."""

    a: str
    b: str
    why: str


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """An external label set: each label with the ids of this ontology that it means (none: no
    counterpart)."""

    name: str
    source: str
    targets: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class GroupRule:
    """Whether what is a `is_a` is a member, at these organs, at every one for ()."""

    is_a: str
    organs: tuple[str, ...]
    member: bool

    def reaches(self, organ: str | None) -> bool:
        """Whether the rule holds at an organ; an unknown organ never conflicts."""
        return not self.organs or organ is None or organ in self.organs


@dataclass(frozen=True, slots=True)
class Group:
    """Entities that a task counts as one kind of thing, whatever their names.

    `stands_for`: the entity that any member is compared as. `compared`: name → the attribute kinds that are compared
    under it. `source`: who draws the line. `content_hash`: SHA-256 (hex) of the record, for signatures; groups are no
    part of the ontology's own.
    """

    id: str
    label: str
    stands_for: str
    source: str
    rules: tuple[GroupRule, ...]
    compared: Mapping[str, tuple[str, ...]]
    match: tuple[Example, ...]
    no_match: tuple[Example, ...]
    content_hash: str


@dataclass(frozen=True, slots=True)
class SignificanceRule:
    """The class of every entity that is a `is_a` or of kind `kind`, unless it or a nearer ancestor says
    otherwise."""

    significance: Significance
    is_a: str | None
    kind: str | None
    source: str


@dataclass(frozen=True, slots=True)
class SizeShift:
    """A change of class (`shift` steps, 1 = weightier) by the largest axis: from `at_least_mm`, or below
    `below_mm`."""

    is_a: str
    at_least_mm: float | None
    below_mm: float | None
    shift: int
    source: str


@dataclass(frozen=True, slots=True)
class Weights:
    """The significance of what no rule reaches, the weight of each class (0 to 1), and the class rules in
    order."""

    default: Significance
    weights: Mapping[str, float]
    rules: tuple[SignificanceRule, ...]
    shifts: tuple[SizeShift, ...]
