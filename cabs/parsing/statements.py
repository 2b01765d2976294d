"""What one sentence states about abnormalities, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cabs.parsing.places import NOWHERE, Where
from cabs.parsing.slots import Slot
from cabs.values import Certainty, Likelihood, Span, Status

Reference = Literal["same", "other", "largest"]


class Statement(NamedTuple):
    """One abnormality as one sentence states it. Spans count from the sentence's start.

    `entity` is None while the finding waits for a place from the sentences before (`finding` says which).
    `reference`: it may speak of the same thing as before ("the mass"), of one of them ("the largest node"), or says
    that it is another. `explains`: it is offered for what the sentence before names ("This represents a cyst").
    `inner`: the place that its name says ("curvature of the lumbar spine").
    """

    status: Status
    finding: str
    entity: str | None
    where: Where
    slots: tuple[Slot, ...]
    likelihood: Likelihood
    mention: Span
    reference: Reference | None = None
    explains: bool = False
    inner: tuple[str, ...] = ()

    @property
    def certainty(self) -> Certainty:
        """The likelihood on the scale of facts: any hedge makes it possible."""
        return "definite" if self.likelihood == "definite" else "possible"


class Spoken(NamedTuple):
    """The places that a sentence has spoken of: the one `told` last in words or by a side (of what is no denial), and
    the `last` one that lies in an organ, said or implied."""

    told: Where = NOWHERE
    last: Where = NOWHERE

    def after(self, statements: Sequence[Statement]) -> Spoken:
        """The same after these statements."""
        told, last = self
        for s in statements:  # a loop: it is asked of every head
            where = s.where
            if s.status == "present" and (where.spans or where.side):
                told = where
            if where.organ:
                last = where
        return Spoken(told, last)


class Several(NamedTuple):
    """Unmeasured places of one kind: the `entity` that one of them is from `least` mm on, and where they are."""

    entity: str
    least: float
    where: Where


class About(NamedTuple):
    """What a sentence says of a thing that was named before: where it is, its attributes, whether it is the `largest`
    of several, and the words that mean it."""

    where: Where
    slots: tuple[Slot, ...]
    largest: bool
    mention: Span


class Reading(NamedTuple):
    """What a sentence states: abnormalities, normal organs, words about what was named before (`about`), the place
    that it leaves to the next sentence, the place of the heading `above` it, and whether it names `several` places that
    the size of one would make a finding."""

    statements: tuple[Statement, ...] = ()
    normal: tuple[tuple[str, Span], ...] = ()
    about: About | None = None
    place: Where = NOWHERE
    above: Where = NOWHERE
    several: Several | None = None
