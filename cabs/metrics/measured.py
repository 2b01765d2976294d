"""What a metric says about n pairs: a value for each, and the corpus value of any resampling of them.

A corpus value is a function of added statistics (sacrebleu's habit): the BLEU of a corpus is not the mean of its
sentences' BLEU, the F1 of a corpus comes from added counts. Whoever draws pairs anew needs the statistics once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cabs.errors import CabsError

Floats = NDArray[np.float64]
ValueOf = Callable[[Floats], Floats]
"""Rows of summed statistics (m × k) → their values (m), nan where undefined."""


@dataclass(frozen=True, eq=False)
class Measured:
    """`values` (n): one a pair, nan where undefined. `statistics` (n × k): what is added up. `value_of`: from rows of
    sums to corpus values. `notes`: what a reader of the numbers should know.

    `value_of(draws(statistics, resampling))` (`draws` of `cabs.metrics.intervals`) gives the corpus values of bootstrap
    draws; every metric and system over the same number of pairs has the same draws, so that they can be compared.

    Raises `CabsError` where the shapes don't fit or a number is infinite.
    """

    values: Floats
    statistics: Floats
    value_of: ValueOf
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        fits = self.values.ndim == 1 and self.statistics.ndim == 2 and len(self.values) == len(self.statistics)
        if not fits:
            shapes = f"{self.values.shape} and {self.statistics.shape}"
            raise CabsError(f"values and statistics of shapes {shapes}", place="measured", hint="(n,) and (n, k)")
        if np.isinf(self.values).any() or not np.isfinite(self.statistics).all():
            raise CabsError("a value or a statistic is not finite", place="measured", hint="undefined values are nan")

    def __len__(self) -> int:
        return len(self.values)

    def corpus(self, weights: ArrayLike) -> Floats:
        """The corpus value of each row of `weights` (draws × n: how often each pair is drawn), nan where undefined, as
        it is where nothing is drawn."""
        rows = np.atleast_2d(np.asarray(weights, dtype=np.float64))
        return np.where(rows.any(axis=1), self.value_of(rows @ self.statistics), np.nan)

    @property
    def value(self) -> float | None:
        """The corpus value of all pairs; None where it is undefined, as it is for no pairs."""
        found = float(self.corpus(np.ones(len(self)))[0])
        return None if np.isnan(found) else found

    def take(self, rows: Sequence[int] | NDArray[np.intp] | NDArray[np.bool_]) -> Measured:
        """The same for some of the pairs, in the order given: those of one system, say."""
        at = np.asarray(rows) if len(rows) else np.zeros(0, dtype=np.intp)
        return replace(self, values=self.values[at], statistics=self.statistics[at])


def means(values: ArrayLike, notes: tuple[str, ...] = ()) -> Measured:
    """A metric whose corpus value is the mean of the values that are defined (not nan)."""
    found = np.asarray(values, dtype=np.float64)
    defined = ~np.isnan(found)
    return Measured(found, np.column_stack([np.where(defined, found, 0.0), defined]), ratio, notes)


def ratios(tops: ArrayLike, bottoms: ArrayLike, scale: float = 1.0, notes: tuple[str, ...] = ()) -> Measured:
    """A metric that is scale × Σ tops / Σ bottoms, of one pair as of many; undefined where Σ bottoms is 0."""
    statistics = np.column_stack([np.asarray(tops, dtype=np.float64), np.asarray(bottoms, dtype=np.float64)])
    value_of = partial(ratio, scale=scale)
    return Measured(value_of(statistics), statistics, value_of, notes)


def ratio(sums: Floats, scale: float = 1.0) -> Floats:
    """scale × first column / second column; nan where the second is 0."""
    found = np.full(len(sums), np.nan)
    np.divide(scale * sums[:, 0], sums[:, 1], out=found, where=sums[:, 1] != 0)
    return found
