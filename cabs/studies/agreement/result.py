"""What an agreement study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cabs.metrics.estimates import Estimate
from cabs.signature import Signature
from cabs.studies.agreement.report import ReportAgreement
from cabs.values import Status

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """One of the two: its name, the hash of its facts, the ids that only it has, and how many of the common reports
    it has not read."""

    name: str
    facts_hash: str
    only: tuple[str, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class SlotAgreement:
    """One slot over paired facts. `agreement`: the share of pairs that agree as scores judge it (compatible sizes and
    neighbouring grades agree). `kappa`: Cohen's, over the exact categories, "unstated" among them. `stated`: pairs of
    which at least one fact states the slot."""

    slot: str
    stated: int
    agreement: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class StatusAgreement:
    """The units of one status: facts of each, those that both have (`paired`), and those with every slot equal
    (`full`).

    `shares` by name. `a_in_b`: the acceptance rate, the share of A's facts that B has (the same entity, no conflict of
    organ), `b_in_a` the other way round; `..._fully`: and every slot agrees. `overlap`: 2 × paired / (facts of A +
    facts of B). `two_or_more`: the share of reports with two or more facts that only one of the two has;
    `..._fully`: a paired fact that differs in any slot counts too.
    """

    facts_a: int
    facts_b: int
    paired: int
    full: int
    shares: Mapping[str, Estimate]
    slots: tuple[SlotAgreement, ...]


@dataclass(frozen=True, slots=True)
class EntityStatus:
    """Present, absent or not mentioned, for every report and every entity that any reading of any report mentions.

    `entities`: how many of these there are; `mentioned`: units in which at least one reading mentions the entity, and
    the share of these that have the same status; `kappa` is over all reports × entities.
    """

    entities: int
    mentioned: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two readings of the same reports. A and B have the same rights: with their order turned, every
    number is the same but those that carry their names.

    `reports`: how many both have. `rows`: what each of them adds, sorted by id; `texts`: their texts, as far as known.
    """

    signature: Signature
    a: Reader
    b: Reader
    reports: int
    status: Mapping[Status, StatusAgreement]
    entity_status: EntityStatus
    rows: tuple[ReportAgreement, ...] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)

    def to_json(self) -> Json:
        """The results.json page; it holds no word of a report."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "a": {**asdict(self.a), "only": list(self.a.only)},
            "b": {**asdict(self.b), "only": list(self.b.only)},
            "reports": self.reports,
            "status": {status: _status(block) for status, block in self.status.items()},
            "entity_status": {
                "entities": self.entity_status.entities,
                "mentioned": self.entity_status.mentioned.to_json(),
                "kappa": self.entity_status.kappa.to_json(),
            },
        }


def _status(block: StatusAgreement) -> Json:
    counts = {name: getattr(block, name) for name in ("facts_a", "facts_b", "paired", "full")}
    shares = {name: share.to_json() for name, share in block.shares.items()}
    slots = {
        s.slot: {"stated": s.stated, "agreement": s.agreement.to_json(), "kappa": s.kappa.to_json()}
        for s in block.slots
    }
    return {**counts, **shares, "slots": slots}
