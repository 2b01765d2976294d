"""Are two systems different on the same references? Paired randomisation with a studentised difference.

Whole reports are swapped between the systems at random; the difference of the metric is divided by its own
standard error se² = Σ e_i², e_i the linearised contribution of report i to the difference. The raw difference
rejects too often where the systems have equal F1 but opposite precision and recall; the studentised one
doesn't (specification, "Metrics").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cabs.errors import SettingError
from cabs.metrics.counts import Counts
from cabs.metrics.definitions import Metric
from cabs.metrics.resample import Floats, blocks, counted
from cabs.metrics.rows import Rows, parts_of

TIE = 1e-12
"""Differences this small are rounding."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The test of one metric. `difference` = a − b, with standard error `se` (both in the metric's scale).

    `p` = (1 + swaps at least as extreme) / (1 + trials). All of a, b, difference, se, p are None where the
    metric is undefined for a system. `units`: reports (or clusters) compared.
    """

    metric: str
    a: float | None
    b: float | None
    difference: float | None
    se: float | None
    p: float | None
    trials: int
    units: int


def paired_tests(
    a: Sequence[Counts],
    b: Sequence[Counts],
    table: Mapping[str, Metric],
    *,
    trials: int = 10_000,
    seed: int = 0,
    clusters: Sequence[str | None] | None = None,
) -> dict[str, PairedTest]:
    """Test every metric of `table`. `a[i]` and `b[i]` are the counts of two systems on the same reference.

    Raises `SettingError` where the lengths differ.
    """
    if len(a) != len(b):
        raise SettingError(f"{len(a)} and {len(b)} reports", place="paired test", hint="give the same references")
    if trials < 1 or seed < 0:
        raise SettingError("trials are 1 or more, the seed 0 or more", place="paired test")
    first, second = (counted(rows, clusters) for rows in (a, b))
    size = len(first)
    names = list(table)
    observed = {name: _observed(table[name], first, second) for name in names}
    extreme = dict.fromkeys(names, 0)
    generator = np.random.default_rng(seed)
    for number in blocks(trials, size * len(names) or 1):
        swaps = generator.integers(0, 2, (number, size)).astype(np.float64)
        for name in names:
            found = observed[name]
            if found is not None:
                extreme[name] += _extreme(found, swaps)
    return {name: _result(table[name], observed[name], extreme[name], trials, size) for name in names}


class _Observed(NamedTuple):
    """Numerators and denominators of each unit for both systems, and the studentised difference."""

    tops: tuple[Floats, Floats]
    bottoms: tuple[Floats, Floats]
    a: float
    b: float
    se: float
    t: float


def _observed(metric: Metric, first: Rows, second: Rows) -> _Observed | None:
    (tops_a, bottoms_a), (tops_b, bottoms_b) = parts_of(metric, first), parts_of(metric, second)
    sums = (float(bottoms_a.sum()), float(bottoms_b.sum()))
    if not all(sums):
        return None
    a, b = float(tops_a.sum()) / sums[0], float(tops_b.sum()) / sums[1]
    contributions = (tops_a - a * bottoms_a) / sums[0] - (tops_b - b * bottoms_b) / sums[1]
    se = float(np.sqrt((contributions**2).sum()))
    t = float(_studentised(np.array([a - b]), np.array([se**2]))[0])
    return _Observed((tops_a, tops_b), (bottoms_a, bottoms_b), a, b, se, t)


def _extreme(observed: _Observed, swaps: Floats) -> int:
    """How many of these swaps (trials × units, 0 or 1) give a difference at least as extreme as the observed
    one. A swap that leaves the metric undefined counts as extreme: nothing speaks against it."""
    (tops_a, tops_b), (bottoms_a, bottoms_b) = observed.tops, observed.bottoms
    moved_tops, moved_bottoms = swaps @ (tops_b - tops_a), swaps @ (bottoms_b - bottoms_a)
    sum_a, sum_b = bottoms_a.sum() + moved_bottoms, bottoms_b.sum() - moved_bottoms
    defined = (sum_a != 0) & (sum_b != 0)
    sum_a, sum_b = np.where(defined, sum_a, 1.0)[:, None], np.where(defined, sum_b, 1.0)[:, None]
    a, b = (tops_a.sum() + moved_tops)[:, None] / sum_a, (tops_b.sum() - moved_tops)[:, None] / sum_b
    # What each unit adds to the difference when it stays and when it is swapped.
    stays = (tops_a - a * bottoms_a) / sum_a - (tops_b - b * bottoms_b) / sum_b
    swapped = (tops_b - a * bottoms_b) / sum_a - (tops_a - b * bottoms_a) / sum_b
    squares = np.where(swaps > 0, swapped, stays) ** 2
    t = _studentised((a - b)[:, 0], squares.sum(axis=1))
    return int(np.count_nonzero((t >= observed.t * (1 - TIE) - TIE) | ~defined))


def _studentised(difference: Floats, squares: Floats) -> Floats:
    """|difference| / se; 0 for no difference, infinite for one without any spread."""
    size = np.abs(difference)
    size = np.where(size < TIE, 0.0, size)
    spread = np.sqrt(squares)
    wide = spread > TIE
    return np.asarray(np.where(wide, size / np.where(wide, spread, 1.0), np.where(size > 0, np.inf, 0.0)))


def _result(metric: Metric, observed: _Observed | None, extreme: int, trials: int, units: int) -> PairedTest:
    if observed is None:
        return PairedTest(metric.name, None, None, None, None, None, trials, units)
    a, b, se = (x * metric.scale for x in (observed.a, observed.b, observed.se))
    return PairedTest(metric.name, a, b, a - b, se, (1 + extreme) / (1 + trials), trials, units)
