"""Some of the rated candidates, and estimates of how far columns agree on them, references drawn whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cabs.metrics.estimates import Estimate
from cabs.metrics.intervals import Resampling, draws, interval_of
from cabs.metrics.measured import Floats
from cabs.studies.humans.association import Association

CONSTANT = "one of the two says the same of all pairs, or there are fewer than two"
NO_PREFERENCE = "no two candidates of one reference are told apart"
UNDEFINED = {"preference": NO_PREFERENCE, "order": "no order is stated", "equal": "no two candidates are called equal"}
"""Why a measure is undefined, where it isn't for a constant column."""

NOTHING = np.zeros((0, 0))


class Sample:
    """The candidates at `rows` (of all) and their groups and units, numbered anew."""

    def __init__(
        self, rows: NDArray[np.intp], groups: Sequence[int], units: Sequence[int], resampling: Resampling
    ) -> None:
        self.rows, self.resampling = rows, resampling
        self.groups = np.unique(np.asarray(groups)[rows], return_inverse=True)[1].tolist()
        self._units = np.unique(np.asarray(units)[rows], return_inverse=True)[1]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def _membership(self) -> Floats:
        """Units × candidates: 1 where the candidate is of the unit."""
        number = int(self._units.max()) + 1 if len(self._units) else 0
        return np.asarray(np.arange(number)[:, None] == self._units, dtype=np.float64)

    @cached_property
    def _drawn(self) -> Floats:
        """Draws × candidates: how often each is drawn."""
        wanted = self.resampling.n and len(self._membership) > 1
        return draws(self._membership, self.resampling) if wanted else NOTHING

    def estimates(
        self, measures: Mapping[str, Association], counts: Mapping[str, int] | None = None, *, bare: bool = False
    ) -> dict[str, Estimate]:
        """The value and the interval of every measure; `counts` stand in for the number of candidates; `bare`: without
        intervals."""
        number = {**dict.fromkeys(measures, len(self)), **(counts or {})}
        return {name: self._estimate(name, measure, number[name], bare) for name, measure in measures.items()}

    def _estimate(self, name: str, measure: Association, n: int, bare: bool) -> Estimate:
        value = float(measure(np.ones((1, len(self))))[0]) if len(self) else np.nan
        if np.isnan(value):
            return Estimate(None, n, None, UNDEFINED.get(name, CONSTANT))
        if bare or not len(self._drawn):
            return Estimate(value, n)
        redrawn = measure(self._drawn)
        defined = redrawn[~np.isnan(redrawn)]
        if not len(defined):
            return Estimate(value, n)

        def left_out() -> Floats:
            rest = measure(1.0 - self._membership)
            return np.asarray(rest[~np.isnan(rest)], dtype=np.float64)

        units, undefined = len(self._membership), len(redrawn) - len(defined)
        return Estimate(value, n, interval_of(value, defined, left_out, units, self.resampling, undefined=undefined))


def compared(ratings: Floats, groups: Sequence[int]) -> int:
    """Pairs of candidates of one reference whose ratings differ."""
    found = 0
    for group in set(groups):
        mine = ratings[[at for at, other in enumerate(groups) if other == group]]
        found += int((np.sign(mine[:, None] - mine[None, :]) > 0).sum())
    return found
