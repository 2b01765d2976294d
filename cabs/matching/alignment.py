"""What an alignment is: two sets of facts, laid side by side, with every disagreement named."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cabs.matching.item import Item
from cabs.values import Fact, Normal

Slot = Literal["location", "attributes", "certainty"]
ErrorName = Literal[
    "missed",
    "hallucinated",
    "contradicted",
    "wrong_side",
    "wrong_site",
    "location_broader",
    "unsupported_place",
    "wrong_size",
    "severity",
    "other_attribute",
    "change",
    "omitted_attribute",
    "unsupported_attribute",
    "certainty_overstated",
    "certainty_understated",
]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One slot in which an aligned pair differs.

    `detail` is the part of the slot: "side", "place", an attribute kind, or "certainty". `reference` and
    `prediction` are the words (or values) of each side, "" where it states nothing. `cost` is the share of
    the fact's weight that it takes (0 to 1, 0 where it is only counted). `counts` is False for what the
    settings ignore: it is listed, but the slot still agrees.
    """

    slot: Slot
    detail: str
    name: ErrorName
    reference: str
    prediction: str
    cost: float
    counts: bool


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A reference fact and the predicted fact that hits it, both in canonical form.

    `exact`: the same entity (False: an is-a relative). `location`, `attributes`, `certainty`: the slot
    agrees. `contradicted`: the other side's report also denies the one or the other fact.
    """

    reference: Fact
    prediction: Fact
    exact: bool
    location: bool
    attributes: bool
    certainty: bool
    disagreements: tuple[Disagreement, ...]
    contradicted: bool = False

    @property
    def consistent(self) -> bool:
        """Fully consistent: location and attributes agree (a hit it is already)."""
        return self.location and self.attributes


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A present fact of one report and what denies it in the other: an absent fact or a normality statement.

    `side` tells whose fact is contradicted. At most one is kept per fact.
    """

    side: Literal["reference", "prediction"]
    fact: Fact
    denial: Fact | Normal


@dataclass(frozen=True, slots=True)
class CanonicalReport:
    """A report in the form in which it is matched: bilateral facts split, repeats united, sections joined
    (scope "report"), denials overruled by present facts taken out.

    `internal` lists what was taken out: (present fact, the denial that it overrules). `normals`: the
    normality statements that no present fact of a weightier class than benign overrules. `read` and `normal`
    as in `ParsedReport`. The order of facts is by content, so that it never depends on the input's order.
    `items` and `denials` are `present` and `absent` as matching handles them.
    """

    present: tuple[Fact, ...]
    absent: tuple[Fact, ...]
    normals: tuple[Normal, ...]
    internal: tuple[tuple[Fact, Fact], ...]
    read: bool
    items: tuple[Item, ...] = field(default=(), repr=False, compare=False)
    denials: tuple[Item, ...] = field(default=(), repr=False, compare=False)

    @property
    def normal(self) -> bool:
        """Read, and no present abnormality (devices and post-operative states may be present)."""
        return self.read and not any(fact.kind == "abnormality" for fact in self.present)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The one-to-one alignment of two reports.

    `hits`: reference facts that the prediction states. `near`: reference facts that missed, paired with a
    predicted is-a relative in the same organ; they count as missed and hallucinated everywhere but in the
    CABS-Score. `missed` and `hallucinated` hold every unmatched fact, those in `near` too.
    """

    reference: CanonicalReport
    prediction: CanonicalReport
    hits: tuple[AlignedPair, ...]
    near: tuple[AlignedPair, ...]
    missed: tuple[Fact, ...]
    hallucinated: tuple[Fact, ...]
    contradictions: tuple[Contradiction, ...]
