"""The outcomes of a run, added up system by system as they come: memory grows with the counts alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from cabs.metrics import By, Counts, ErrorRow, error_table
from cabs.scoring.left_out import Listed
from cabs.scoring.outcome import GROUPS, Outcome

EXAMPLES = 5
"""Ids that a line of the error table names."""

ErrorKey = tuple[str, str, str, str, str, bool]


Row = TypeVar("Row")
Row_co = TypeVar("Row_co", covariant=True)


class Judged(Protocol[Row_co]):
    """What a listing asks of an outcome."""

    @property
    def id(self) -> str:
        """The report."""

    @property
    def cluster(self) -> str | None:
        """What it is drawn with."""

    @property
    def reason(self) -> str:
        """Why it is unscored, "" where it is scored."""

    @property
    def silent(self) -> str:
        """Why its prediction says nothing, "" where it says something."""

    @property
    def counts(self) -> Row_co:
        """What is added up."""


@dataclass(slots=True)
class Listing(Generic[Row]):
    """The reports of one system so far: `ids`, `rows` and `clusters` hold the scored ones in order."""

    ids: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    clusters: list[str | None] = field(default_factory=list)
    unscored: list[Listed] = field(default_factory=list)
    silent: list[Listed] = field(default_factory=list)

    def take(self, outcome: Judged[Row]) -> bool:
        """List an outcome; whether it is scored."""
        if outcome.reason:
            self.unscored.append(Listed(outcome.id, outcome.reason))
            return False
        self.ids.append(outcome.id)
        self.rows.append(outcome.counts)
        self.clusters.append(outcome.cluster)
        if outcome.silent:
            self.silent.append(Listed(outcome.id, outcome.silent))
        return True


@dataclass(slots=True)
class Tally(Listing[Counts]):
    """What is known of one system so far."""

    system: str | None = None
    by: dict[By, dict[str, Counts]] = field(default_factory=lambda: {group: {} for group in GROUPS})
    issues: dict[str, int] = field(default_factory=dict)
    errors: dict[ErrorKey, ErrorRow] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of one pair of this system."""
        for code, n in outcome.issues.items():
            self.issues[code] = self.issues.get(code, 0) + n
        if not self.take(outcome):
            return
        for group, keys in outcome.by.items():
            for key, counts in keys.items():
                known = self.by[group].get(key)
                self.by[group][key] = counts if known is None else known + counts
        for row in error_table([(outcome.id, outcome.errors)]):
            self._add_error(row)

    def _add_error(self, row: ErrorRow) -> None:
        key = (row.error, row.detail, row.entity, row.name, row.organ, row.counts)
        known = self.errors.get(key)
        if known is None:
            self.errors[key] = row
            return
        examples = (*known.examples, *row.examples)[:EXAMPLES]
        self.errors[key] = ErrorRow(*key, known.count + row.count, known.reports + row.reports, examples)

    def error_rows(self) -> Iterator[ErrorRow]:
        """The error table: the most frequent first, then by name."""
        yield from sorted(self.errors.values(), key=lambda row: (-row.count, _names(row)))


def _names(row: ErrorRow) -> ErrorKey:
    return (row.error, row.detail, row.entity, row.name, row.organ, row.counts)


class Tallies:
    """One tally a system, in the order in which the systems first came."""

    def __init__(self) -> None:
        self.by_system: dict[str | None, Tally] = {}

    def add(self, outcome: Outcome) -> None:
        """Add an outcome to the tally of its system."""
        tally = self.by_system.get(outcome.system)
        if tally is None:
            tally = self.by_system[outcome.system] = Tally(system=outcome.system)
        tally.add(outcome)

    @property
    def clustered(self) -> bool:
        """True if any scored report belongs to a cluster."""
        return any(any(tally.clusters) for tally in self.by_system.values())
