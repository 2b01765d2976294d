"""The outcomes of a run, added up system by system as they come: memory grows with the counts alone.

What is added up adds up again: tallies of parts of a run, in their order, are the tally of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from cabs.metrics import FIELDS, By, Counts, ErrorRow, error_table
from cabs.metrics.rows import Rows
from cabs.scoring.columns import LeftOut, Texts
from cabs.scoring.left_out import Listed
from cabs.scoring.outcome import GROUPS, Outcome

EXAMPLES = 5
"""Ids that a line of the error table names."""

ErrorKey = tuple[str, str, str, str, str, bool]
Json = dict[str, Any]

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
class Listing:
    """The reports of one system so far: `ids` and `clusters` hold the scored ones in order."""

    ids: Texts[str] = field(default_factory=Texts)
    clusters: Texts[str | None] = field(default_factory=Texts)
    unscored: LeftOut = field(default_factory=LeftOut)
    silent: LeftOut = field(default_factory=LeftOut)
    clustered: bool = False

    def take(self, outcome: Judged[object]) -> bool:
        """List an outcome; whether it is scored."""
        if outcome.reason:
            self.unscored.append(Listed(outcome.id, outcome.reason))
            return False
        self.ids.append(outcome.id)
        self.clusters.append(outcome.cluster)
        self.clustered = self.clustered or bool(outcome.cluster)
        if outcome.silent:
            self.silent.append(Listed(outcome.id, outcome.silent))
        return True


@dataclass(slots=True)
class ErrorTally:
    """One line of the error table so far."""

    count: int = 0
    reports: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, count: int, reports: int, examples: tuple[str, ...] | list[str]) -> None:
        """Add occurrences that come later."""
        self.count += count
        self.reports += reports
        if len(self.examples) < EXAMPLES:
            self.examples.extend(examples[: EXAMPLES - len(self.examples)])


@dataclass(slots=True)
class Tally(Listing):
    """What is known of one system so far; `rows` are the counts of the scored reports."""

    system: str | None = None
    rows: Rows = field(default_factory=Rows)
    by: dict[By, dict[str, Counts]] = field(default_factory=lambda: {group: {} for group in GROUPS})
    issues: dict[str, int] = field(default_factory=dict)
    errors: dict[ErrorKey, ErrorTally] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Add the outcome of one pair of this system."""
        self._add_issues(outcome.issues)
        if not self.take(outcome):
            return
        self.rows.append(outcome.counts)
        self._add_groups(outcome.by)
        for row in error_table([(outcome.id, outcome.errors)]):
            key = (row.error, row.detail, row.entity, row.name, row.organ, row.counts)
            self._add_error(key, row.count, row.reports, row.examples)

    def merge(self, later: Tally) -> None:
        """Add what is known of the pairs that come after these."""
        self.ids.extend(later.ids)
        self.clusters.extend(later.clusters)
        self.clustered = self.clustered or later.clustered
        self.unscored.extend(later.unscored)
        self.silent.extend(later.silent)
        self.rows.extend(later.rows)
        self._add_groups(later.by)
        self._add_issues(later.issues)
        for key, line in later.errors.items():
            self._add_error(key, line.count, line.reports, line.examples)

    def _add_issues(self, issues: Mapping[str, int]) -> None:
        for code, n in issues.items():
            self.issues[code] = self.issues.get(code, 0) + n

    def _add_groups(self, by: Mapping[By, Mapping[str, Counts]]) -> None:
        for group, keys in by.items():
            mine = self.by[group]
            for key, counts in keys.items():
                known = mine.get(key)
                mine[key] = counts if known is None else known + counts

    def _add_error(self, key: ErrorKey, count: int, reports: int, examples: tuple[str, ...] | list[str]) -> None:
        line = self.errors.get(key)
        if line is None:
            line = self.errors[key] = ErrorTally()
        line.add(count, reports, examples)

    def error_rows(self) -> Iterator[ErrorRow]:
        """The error table: the most frequent first, then by name."""
        lines = sorted(self.errors.items(), key=lambda item: (-item[1].count, item[0]))
        for key, line in lines:
            yield ErrorRow(*key, line.count, line.reports, tuple(line.examples))

    def to_json(self) -> Json:
        """The tally in JSON's own types."""
        return {
            "system": self.system,
            "ids": list(self.ids),
            "clusters": list(self.clusters) if self.clustered else None,
            "unscored": [[item.id, item.reason] for item in self.unscored],
            "silent": [[item.id, item.reason] for item in self.silent],
            "rows": [list(row) for row in self.rows.vectors()],
            "by": {group: {key: sparse(counts) for key, counts in keys.items()} for group, keys in self.by.items()},
            "issues": self.issues,
            "errors": [[*key, line.count, line.reports, line.examples] for key, line in self.errors.items()],
        }


def tally_from_json(value: Json) -> Tally:
    """The tally that a journal holds."""
    ids, clusters = value["ids"], value["clusters"]
    return Tally(
        system=value["system"],
        ids=Texts(ids),
        clusters=Texts(clusters or [None] * len(ids)),
        clustered=clusters is not None,
        unscored=LeftOut(Listed(*item) for item in value["unscored"]),
        silent=LeftOut(Listed(*item) for item in value["silent"]),
        rows=Rows(Counts(*row) for row in value["rows"]),
        by={group: {key: Counts(**counts) for key, counts in value["by"][group].items()} for group in GROUPS},
        issues=value["issues"],
        errors={tuple(line[:6]): ErrorTally(*line[6:]) for line in value["errors"]},
    )


def sparse(counts: Counts) -> dict[str, int]:
    """The fields that are not 0, by name."""
    return {name: n for name, n in zip(FIELDS, counts.vector(), strict=True) if n}


class Tallies:
    """One tally a system, in the order in which the systems first came."""

    def __init__(self) -> None:
        self.by_system: dict[str | None, Tally] = {}

    def of(self, system: str | None) -> Tally:
        """The tally of a system, a new one where there is none."""
        tally = self.by_system.get(system)
        if tally is None:
            tally = self.by_system[system] = Tally(system=system)
        return tally

    def add(self, outcome: Outcome) -> None:
        """Add an outcome to the tally of its system."""
        self.of(outcome.system).add(outcome)

    def merge(self, later: Tallies) -> None:
        """Add the tallies of the pairs that come after these."""
        for system, tally in later.by_system.items():
            self.of(system).merge(tally)

    @property
    def clustered(self) -> bool:
        """True if any scored report belongs to a cluster."""
        return any(tally.clustered for tally in self.by_system.values())
