"""The values that walk the corridor: text → report → facts → alignment → counts → score.

Every value is frozen and knows where it came from: a `Span` counts characters in the original text, so that
`text[span.start:span.end]` is the evidence, for every backend.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Section = Literal["findings", "impression"]
Status = Literal["present", "absent"]
Certainty = Literal["definite", "possible"]
Likelihood = Literal["definite", "probable", "possible", "doubtful"]
Side = Literal["right", "left", "bilateral"]
Kind = Literal["abnormality", "device", "postoperative"]

OTHER = "other"
"""Entity id of an abnormality that the ontology does not know; its text is kept as its name."""


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of the original text; both 0 or more, `start <= end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Attribute:
    """One typed property of a fact.

    `kind` is an attribute kind of the ontology (size, severity, change ...), `text` the words of the report.
    `value` is the ontology's value id, or None where the words say no listed value. `mm` holds the axes of a
    current measurement in millimetres, largest first; it is empty for every other kind.
    """

    kind: str
    text: str
    value: str | None = None
    mm: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Location:
    """Where a fact is: the words of the report (`""` where unstated) and the anatomy ids that they resolve to."""

    text: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One abnormality as a report states it: ⟨organ, entity, location, attributes, certainty, evidence⟩.

    `organ` is an id of the organ axis, or None where it is unknown (an unknown organ never conflicts).
    `entity` is an entity id of the ontology, or `other`; `name` its usual English name. `mention` is the shortest
    span that names it, `evidence` the sentences that state it, first one first. `likelihood` is the certainty on a
    finer scale where the reader tells it ("likely": probable, "cannot be excluded": doubtful); all but definite is
    possible in `certainty`, which alone is compared.
    """

    section: Section
    status: Status
    entity: str
    kind: Kind
    name: str
    organ: str | None
    side: Side | None
    location: Location
    attributes: tuple[Attribute, ...]
    certainty: Certainty
    mention: Span
    evidence: tuple[Span, ...]
    likelihood: Likelihood | None = None


@dataclass(frozen=True, slots=True)
class Normal:
    """A statement that an organ is normal ("the liver is unremarkable"). It is no fact."""

    organ: str
    span: Span


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that a reader of the results should know: a code, a message in plain words and its place."""

    code: str
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ParsedReport:
    """The facts of one report.

    `read` is True if at least one fact or normality statement was recognised. Only a read report without present
    facts of kind abnormality is *normal*; an unread one says nothing.
    """

    facts: tuple[Fact, ...] = ()
    normal: tuple[Normal, ...] = ()
    read: bool = False
    issues: tuple[Issue, ...] = ()


@dataclass(frozen=True, slots=True)
class QuotedFact:
    """A fact as an annotator or another tool wrote it: names and quoted words, not yet ids and positions.

    `attributes` are (kind, words), the kind None where the source has none; `organ` is an id of the organ axis or a
    category of another scheme; `mention` and `evidence` are quotes (`""` where not given).
    """

    section: Section
    status: Status
    name: str
    organ: str | None
    location: tuple[str, ...]
    side: Side | None
    attributes: tuple[tuple[str | None, str], ...]
    certainty: Certainty
    mention: str
    evidence: str


@dataclass(frozen=True, slots=True)
class QuotedReport:
    """Quoted facts and, where known, the text that they quote. `scheme` names the organ categories in use: "cabs" is
    the organ axis itself, others are crosswalk keys."""

    facts: tuple[QuotedFact, ...]
    text: str | None
    scheme: str = "cabs"


@dataclass(frozen=True, slots=True)
class Pair:
    """A reference and a prediction of one study, with the place in the input that they came from. A side is text or
    facts; a prediction of None is one that the input lacks. `reference_source`: the place of the reference where it is
    another one. `reference_text`: the reference's own text, where facts from elsewhere stand in its place."""

    id: str
    reference: str | QuotedReport | ParsedReport
    prediction: str | QuotedReport | ParsedReport | None
    system: str | None = None
    cluster: str | None = None
    extra: dict[str, object] = field(default_factory=dict)
    source: str = ""
    reference_source: str = ""
    reference_text: str | None = None
