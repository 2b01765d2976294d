"""Bootstrap intervals of tumor metrics: reports (or clusters) are drawn anew, sums taken, ratios last.

The draws and the intervals are those of `cabs.metrics.intervals`; here is what is computed from the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from cabs.metrics.intervals import Interval, Resampling, draws, interval_of
from cabs.metrics.resample import Floats, summed, units
from cabs.scoring.tasks.tumor.counts import FIELDS, TumorCounts, TumorMetric

ByOrgan = Mapping[str, TumorCounts]
"""The counts of one report by organ."""
View = Callable[[Floats], Floats]
"""Rows × organs × fields → rows × fields."""


def intervals(
    rows: Sequence[ByOrgan],
    organs: Sequence[str],
    table: Mapping[str, TumorMetric],
    resampling: Resampling,
    clusters: Sequence[str | None] | None = None,
) -> dict[str, dict[str, Interval | None]]:
    """Scope → metric → interval. Scopes: each organ by its id, "pooled" over all, "mean" over organs.

    None where the metric is undefined, where fewer than two reports (or clusters) contribute, or for 0 draws. `mean`
    takes in each draw the organs where it is defined there.
    """
    views: dict[str, View] = {**{o: partial(_one, at=at) for at, o in enumerate(organs)}, "pooled": _pooled}
    if not rows or not resampling.n:
        return {scope: dict.fromkeys(table) for scope in (*views, "mean")}
    values = summed(_matrix(rows, organs), units(rows, clusters))
    drawn = draws(values, resampling)
    shape = (-1, len(organs), len(FIELDS))
    cubes = [cube.reshape(shape) for cube in (values, drawn, values.sum(axis=0) - values)]
    scopes: dict[str, View | None] = {**views, "mean": None}
    return {
        scope: {name: _interval(metric, view, cubes, resampling) for name, metric in table.items()}
        for scope, view in scopes.items()
    }


def _matrix(rows: Sequence[ByOrgan], organs: Sequence[str]) -> Floats:
    """Reports × (organs × fields)."""
    zero = TumorCounts().vector()
    cells = [[row[o].vector() if o in row else zero for o in organs] for row in rows]
    return np.array(cells, dtype=np.float64).reshape(len(rows), -1)


def _one(cube: Floats, at: int) -> Floats:
    return np.asarray(cube[:, at, :], dtype=np.float64)


def _pooled(cube: Floats) -> Floats:
    return np.asarray(cube.sum(axis=1), dtype=np.float64)


def _values(metric: TumorMetric, view: View | None, cube: Floats) -> Floats:
    """The metric of each row of sums, nan where it is undefined; without a view the mean over organs."""
    if view is not None:
        return _ratio(metric, view(cube))
    parts = np.stack([_ratio(metric, _one(cube, at)) for at in range(cube.shape[1])])
    known = ~np.isnan(parts)
    number = known.sum(axis=0)
    return np.where(number > 0, np.where(known, parts, 0.0).sum(axis=0) / np.maximum(number, 1), np.nan)


def _ratio(metric: TumorMetric, counts: Floats) -> Floats:
    parts = []
    for top, bottom in metric.ratios:
        tops, bottoms = counts[:, FIELDS.index(top)], counts[:, FIELDS.index(bottom)]
        parts.append(np.where(bottoms > 0, tops / np.maximum(bottoms, 1), np.nan))
    return np.asarray(np.mean(parts, axis=0), dtype=np.float64)


def _interval(
    metric: TumorMetric, view: View | None, cubes: Sequence[Floats], resampling: Resampling
) -> Interval | None:
    value_of = partial(_values, metric, view)
    values, drawn, rest = cubes
    value = float(value_of(values.sum(axis=0, keepdims=True))[0])
    bottoms = [FIELDS.index(bottom) for _, bottom in metric.ratios]
    contributing = int(np.count_nonzero((view or _pooled)(values)[:, bottoms].sum(axis=1)))
    found = value_of(drawn)
    known = ~np.isnan(found)
    if np.isnan(value) or contributing < 2 or not known.any():
        return None
    undefined = int(np.count_nonzero(~known))
    return interval_of(value, found[known], lambda: _known(value_of(rest)), contributing, resampling, 1.0, undefined)


def _known(values: Floats) -> Floats:
    return values[~np.isnan(values)]
