"""One system of a leaderboard: who made it, what it scored, and every report of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cabs.leaderboard.about import About
from cabs.scoring.case import Entry
from cabs.scoring.compare import Contender

Json = Mapping[str, Any]

SCORED = "scored"
"""The status of a report whose prediction was read; the others are `UNSCORED`, "missing" and "unread"."""
UNSCORED = "unscored"
"""The status of a report that counts nowhere."""


@dataclass(frozen=True, slots=True)
class Case:
    """One report of one system. The texts are None where they are not known, `reason` says why it is unscored,
    `scores` are its own, by metric."""

    id: str
    status: str
    reason: str
    reference: str | None
    prediction: str | None
    entries: tuple[Entry, ...]
    scores: Mapping[str, float | None] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entrant:
    """`result`: what results.json says of the system. `contender`: its scored reports with their counts. `cases`: all
    of its reports, in the order of their ids."""

    about: About
    result: Json = field(repr=False)
    contender: Contender = field(repr=False)
    cases: tuple[Case, ...] = field(repr=False)

    @property
    def name(self) -> str:
        """The name on the board."""
        return self.about.system

    @property
    def ids(self) -> frozenset[str]:
        """The reports that it was asked about, scored or not."""
        return frozenset(case.id for case in self.cases)
