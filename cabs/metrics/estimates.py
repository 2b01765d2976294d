"""Statistics over reports with intervals: counts per report → value and interval of every share and kappa.

Reports are drawn anew, as for scores: facts of one report share its text, its reader and its mood, so they are no
independent observations. Kappa: Cohen 1960.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from cabs.metrics.intervals import FEW, Interval, Resampling, draws, interval_of
from cabs.metrics.resample import Floats


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value (None where it is undefined, `reason` says why), what it is over (`n` units), and its interval (None
    where fewer than two reports contribute, or no draws were asked for)."""

    value: float | None
    n: int
    interval: Interval | None = None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The estimate in JSON's own types."""
        interval = None if self.interval is None else asdict(self.interval)
        return {"value": self.value, "n": self.n, "interval": interval, "reason": self.reason}


def few_said(intervals: Iterable[Interval | None]) -> str:
    """What to say of intervals to which fewer than `FEW` references (or clusters of them) contribute; "" where there
    are none.

    >>> few_said([None])
    ''
    """
    least = min((i.contributing for i in intervals if i is not None and i.few), default=None)
    if least is None:
        return ""
    return f"only {least} references (or clusters) contribute to some intervals: they cover less than they say"


@dataclass(frozen=True)
class Share:
    """The share of `part` in `whole`, two columns (or sums of columns, for `whole`)."""

    part: str
    whole: tuple[str, ...]
    times: int = 1
    empty: str = "there is nothing to share"
    constant: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The part, then the whole."""
        return (self.part, *self.whole)

    def of(self, sums: Floats) -> Floats:
        """part / whole."""
        return _ratio(self.times * sums[:, 0], sums[:, 1:].sum(axis=1))

    def n(self, sums: Floats) -> int:
        """The whole."""
        return int(sums[1:].sum())


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa of two readers over `categories`; the columns are `prefix` + "a|b", reader A's category first."""

    prefix: str
    categories: tuple[str, ...]
    empty: str = "there is nothing to compare"
    constant: str = "both always say the same one thing"

    @property
    def columns(self) -> tuple[str, ...]:
        """The cells of the table, row by row."""
        return tuple(cell(self.prefix, a, b) for a in self.categories for b in self.categories)

    def of(self, sums: Floats) -> Floats:
        """(observed - expected) / (1 - expected), by the exact difference of whole numbers."""
        size = len(self.categories)
        table = sums.reshape(len(sums), size, size)
        n = table.sum(axis=(1, 2))
        observed = n * np.trace(table, axis1=1, axis2=2)
        expected = (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1)
        return _ratio(observed - expected, n * n - expected)

    def n(self, sums: Floats) -> int:
        """The pairs."""
        return int(sums.sum())


Statistic: TypeAlias = Share | Kappa
"""What is made of summed columns. `columns`: which; `of`: rows of sums → values, NaN where undefined; `n`: the units
that a row of sums stands for; `empty` and `constant`: why it is undefined over no units, or over some."""


def cell(prefix: str, a: str, b: str) -> str:
    """The column that counts units which A calls `a` and B calls `b`."""
    return f"{prefix}{a}|{b}"


def _ratio(top: Floats, bottom: Floats) -> Floats:
    result = np.full(len(bottom), np.nan)
    np.divide(top, bottom, out=result, where=bottom != 0)
    return result


def estimates(
    rows: Sequence[Mapping[str, int]],
    statistics: Mapping[str, Statistic],
    resampling: Resampling,
    *,
    wilson: bool = False,
) -> dict[str, Estimate]:
    """The value and the interval of every statistic; `rows` are the counts of each report by column, 0 where absent.

    `wilson`: where a share is 0 or 1, every draw repeats it, which says nothing of what was not seen; the interval is
    then Wilson's (1927) of as many independent observations as reports contribute.
    """
    names = sorted({column for statistic in statistics.values() for column in statistic.columns})
    place = {name: i for i, name in enumerate(names)}
    values = np.zeros((len(rows), len(names)))
    for at, row in enumerate(rows):
        for name, count in row.items():
            if name in place:
                values[at, place[name]] = count
    drawn = draws(values, resampling) if resampling.n and len(rows) > 1 else None
    found: dict[str, Estimate] = {}
    for name, statistic in statistics.items():
        columns = [place[column] for column in statistic.columns]
        mine = _estimate(statistic, values[:, columns], None if drawn is None else drawn[:, columns], resampling)
        if wilson and resampling.n and mine.value in (0.0, 1.0):
            mine = replace(mine, interval=_wilson(mine.value, values[:, columns], resampling.level))
        found[name] = mine
    return found


def _wilson(value: float, values: Floats, level: float) -> Interval:
    """Wilson's interval of an extreme share, 0 or 1."""
    contributing = int(np.count_nonzero(values.any(axis=1)))
    square = NormalDist().inv_cdf((1 + level) / 2) ** 2
    reach = square / (contributing + square)
    low, high = (1 - reach, 1.0) if value else (0.0, reach)
    return Interval(low, high, level, "wilson", contributing, few=contributing < FEW)


def _estimate(statistic: Statistic, values: Floats, drawn: Floats | None, resampling: Resampling) -> Estimate:
    total = values.sum(axis=0)
    value, n = float(statistic.of(total[None, :])[0]), statistic.n(total)
    if np.isnan(value):
        return Estimate(None, n, None, statistic.constant if n else statistic.empty)
    contributing = int(np.count_nonzero(values.any(axis=1)))
    if drawn is None or contributing < 2:
        return Estimate(value, n)
    redrawn = statistic.of(drawn)
    defined = redrawn[~np.isnan(redrawn)]
    if not len(defined):
        return Estimate(value, n)

    def left_out() -> Floats:
        rest = statistic.of(total - values)
        return np.asarray(rest[~np.isnan(rest)], dtype=np.float64)

    undefined = len(redrawn) - len(defined)
    return Estimate(value, n, interval_of(value, defined, left_out, contributing, resampling, undefined=undefined))
