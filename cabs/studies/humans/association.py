"""How far two columns of numbers agree, for many weightings of the pairs at once: what a bootstrap needs.

A weight says how often a pair is drawn; the value is that of the sample with each pair repeated so often. With weights
of 1 the values are those of scipy.stats.kendalltau (variant b), spearmanr and pearsonr. Undefined where a column is
constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cabs.metrics.measured import Floats

Association = Callable[[Floats], Floats]
"""Rows of weights (m × n) → values (m), nan where undefined."""

BLOCK = 1 << 11
"""Pairs that are compared with all others at a time, so that memory grows with their number and not its square."""

TIE = 1e-12
"""Values that differ by less, as a share of the column's span, are tied: 0.1 + 0.2 and 0.3."""


def steps(values: Floats) -> Floats:
    """The ranks of values as whole numbers, those that differ by rounding alone being equal.

    >>> steps(np.array([0.3, 0.1 + 0.2, 0.1])).tolist()
    [1.0, 1.0, 0.0]
    """
    if not len(values):
        return values
    order = np.argsort(values, kind="stable")
    apart = np.diff(values[order]) > TIE * max(float(np.ptp(values)), float(np.abs(values).max()))
    found = np.empty(len(values))
    found[order] = np.concatenate([[0.0], np.cumsum(apart)])
    return found


def tau_b(x: Floats, y: Floats) -> Association:
    """Kendall's τ-b (Kendall 1945): (concordant - discordant) / √(pairs untied in x × pairs untied in y)."""
    first, second = steps(x), steps(y)

    def values(weights: Floats) -> Floats:
        sums = np.zeros((3, len(weights)))
        for start in range(0, len(first), BLOCK):
            rows = slice(start, start + BLOCK)
            a, b = np.sign(first[rows, None] - first), np.sign(second[rows, None] - second)
            for at, signs in enumerate((a * b, abs(a), abs(b))):
                sums[at] += np.einsum("mi,mi->m", weights[:, rows], weights @ signs.T)
        return _ratio(sums[0], sums[1] * sums[2])

    return values


def spearman(x: Floats, y: Floats) -> Association:
    """Spearman's ρ: Pearson's r of the ranks, ties with their mean rank."""
    first, second = steps(x), steps(y)
    return lambda weights: _pearson(_ranks(first, weights), _ranks(second, weights), weights)


def pearson(x: Floats, y: Floats) -> Association:
    """Pearson's r."""
    return lambda weights: _pearson(x[None, :], y[None, :], weights)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """m × n: the mean rank of each pair in each weighting."""
    found = np.empty(weights.shape)
    for start in range(0, len(values), BLOCK):
        mine = values[start : start + BLOCK, None]
        found[:, start : start + BLOCK] = weights @ ((values < mine) + (values == mine) / 2).T
    return found


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    whole = weights.sum(axis=1, keepdims=True)
    whole[whole == 0] = np.nan
    dx = x - (weights * x).sum(axis=1, keepdims=True) / whole
    dy = y - (weights * y).sum(axis=1, keepdims=True) / whole
    spread_x, spread_y = (weights * dx**2).sum(axis=1), (weights * dy**2).sum(axis=1)
    least = [(TIE * np.maximum(abs(v).max(axis=1), 1e-300)) ** 2 * whole[:, 0] for v in (x, y)]
    spread_x[spread_x <= least[0]] = spread_y[spread_y <= least[1]] = 0.0  # a constant column, but for rounding
    return _ratio((weights * dx * dy).sum(axis=1), spread_x * spread_y)


def _ratio(top: Floats, square: Floats) -> Floats:
    found = np.full(len(top), np.nan)
    np.divide(top, np.sqrt(square), out=found, where=square > 0)
    return found


def preference(x: Floats, y: Floats, groups: Sequence[int]) -> Association:
    """The share of pairs of one group that y puts into an order and x into the same one, ties of x counting half. A
    group has to be drawn whole: the weight of a pair of pairs is that of its group."""
    first, second = steps(x), steps(y)
    members: dict[int, list[int]] = {}
    for at, group in enumerate(groups):
        members.setdefault(group, []).append(at)
    agreed, compared = np.zeros(len(first)), np.zeros(len(first))  # kept at each group's first member
    for rows in members.values():
        a, b = (np.sign(v[rows][:, None] - v[rows][None, :]) for v in (first, second))
        compared[rows[0]] = (b > 0).sum()
        agreed[rows[0]] = ((b > 0) * (a + 1) / 2).sum()

    def values(weights: Floats) -> Floats:
        top, bottom = weights @ agreed, weights @ compared
        found = np.full(len(weights), np.nan)
        np.divide(top, bottom, out=found, where=bottom > 0)
        return found

    return values


def mean_of(parts: Sequence[Association]) -> Association:
    """The mean of several agreements in each weighting; undefined where one of them is."""
    return lambda weights: np.asarray(np.mean([part(weights) for part in parts], axis=0))


def associations(x: Floats, y: Floats, groups: Sequence[int]) -> Mapping[str, Association]:
    """Every measure of agreement of two columns, by name."""
    return {
        "tau_b": tau_b(x, y),
        "spearman": spearman(x, y),
        "pearson": pearson(x, y),
        "preference": preference(x, y, groups),
    }
