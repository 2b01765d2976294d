"""What a run gives: counts, scores and intervals, system by system, signed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cabs.errors import SettingError
from cabs.matching import Settings
from cabs.metrics import FIELDS, By, Counts, ErrorRow, metrics
from cabs.scoring.columns import LeftOut, Texts
from cabs.scoring.outcome import Outcome
from cabs.signature import Signature

if TYPE_CHECKING:
    import pandas as pd

    from cabs.metrics.intervals import Interval, Resampling
    from cabs.metrics.rows import Rows

Scores = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system's result.

    `counts` add up over the scored reports, `scores` are their ratios (None where undefined), `macro` the
    means over the references with facts. `by` has counts for each organ, entity, section or kind asked for.
    `ids`, `rows` and `clusters` are the scored reports in input order; `unscored` and `silent` (predictions that are
    missing or were not read, and so missed everything) name reports with the reason. These five are sequences that take
    few bytes a report, and make an item when it is asked for.
    """

    system: str | None
    counts: Counts
    scores: Scores
    intervals: Mapping[str, Interval | None]
    macro: Scores
    by: Mapping[By, Mapping[str, Counts]]
    errors: tuple[ErrorRow, ...]
    unscored: LeftOut
    silent: LeftOut
    issues: Mapping[str, int]
    editorial_share: float | None
    warnings: tuple[str, ...]
    ids: Texts[str] = field(repr=False)
    rows: Rows = field(repr=False)
    clusters: Texts[str | None] = field(repr=False)

    @property
    def label(self) -> str:
        """The system's name, or "all" where the input names none."""
        return "all" if self.system is None else self.system


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run. `reports` holds the outcome of every pair where the caller keeps them.

    With one system, `scores`, `intervals`, `counts` and `errors` are that system's; with several, ask
    `result["name"]`.
    """

    signature: Signature
    settings: Settings
    resampling: Resampling
    systems: tuple[SystemResult, ...]
    warnings: tuple[str, ...] = ()
    reports: tuple[Outcome, ...] = field(default=(), repr=False)

    def __getitem__(self, system: str | None) -> SystemResult:
        for result in self.systems:
            if result.system == system:
                return result
        raise KeyError(system)

    @property
    def only(self) -> SystemResult:
        """The one system of the run.

        Raises:
            SettingError: there are several.
        """
        if len(self.systems) != 1:
            names = ", ".join(repr(s.system) for s in self.systems)
            raise SettingError(
                "the run has several systems", place="result", hint=f'ask result["name"] for one of {names}'
            )
        return self.systems[0]

    @property
    def scores(self) -> Scores:
        """Every metric by name, None where undefined."""
        return self.only.scores

    @property
    def intervals(self) -> Mapping[str, Interval | None]:
        """The bootstrap interval of every metric, None where undefined."""
        return self.only.intervals

    @property
    def counts(self) -> Counts:
        """The counts that the scores are ratios of."""
        return self.only.counts

    @property
    def errors(self) -> tuple[ErrorRow, ...]:
        """The error table, the most frequent error first."""
        return self.only.errors

    def table(self) -> str:
        """The scores as a plain text table, a column for each system, with intervals."""
        rows = [["", *(s.label for s in self.systems)]]
        for name, metric in metrics(self.settings).items():
            rows.append([metric.label, *(cell(s.scores[name], s.intervals.get(name)) for s in self.systems)])
        counted = [
            ("reports", "reports"),
            ("reference facts", "facts"),
            ("hits", "hits"),
            ("false facts", "extra"),
        ]
        rows += [[label, *(str(getattr(s.counts, n)) for s in self.systems)] for label, n in counted]
        return "\n".join([*_columns(rows), str(self.signature)])

    def to_frame(self) -> pd.DataFrame:
        """One row a scored report: system, id, cluster, the counts and the report's own scores (NaN: undefined)."""
        import numpy as np
        import pandas as pd

        from cabs.metrics.rows import values_of

        systems = [s for s in self.systems if s.ids]
        if not systems:
            return pd.DataFrame([])
        columns: dict[str, Any] = {
            "system": [s.system for s in systems for _ in s.ids],
            "id": [id for s in systems for id in s.ids],
            "cluster": [cluster for s in systems for cluster in s.clusters],
        }
        columns |= {name: np.concatenate([s.rows.column(name) for s in systems]) for name in FIELDS}
        for name, metric in metrics(self.settings).items():
            columns[name] = np.concatenate([values_of(metric, s.rows) for s in systems])
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        parts = [f"{s.label}: {s.counts.reports} reports, {_headline(s)}" for s in self.systems]
        return f"<cabs.Result {'; '.join(parts)}>"

    def __str__(self) -> str:
        return self.table()


def cell(value: float | None, interval: Interval | None) -> str:
    """A score for a table: three decimals (one for rates per 100), the interval in brackets, a dash where
    undefined.

    >>> cell(0.5, None), cell(None, None)
    ('0.500', '-')
    """
    if value is None:
        return "-"
    return f"{value:.3f}" if interval is None else f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _headline(result: SystemResult) -> str:
    table = {"f1": "F1", "fc_f1": "FC-F1", "cabs_score": "CABS-Score"}
    return ", ".join(f"{label} {cell(result.scores[name], None)}" for name, label in table.items())


def _columns(rows: Iterable[list[str]]) -> list[str]:
    lines = list(rows)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(text.ljust(w) for text, w in zip(line, widths, strict=True)).rstrip() for line in lines]
