"""Values → ranks and rank correlations, for many draws at once. Undefined values are nan and are left out pairwise.

Spearman's coefficient is Pearson's of the ranks, ties getting the mean of their ranks (Spearman 1904).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cabs.metrics.resample import Floats

Mask = NDArray[np.bool_]

DIGITS = 12
"""Decimals that count: values that differ by less, as sums in another order do, are equal."""

LEAST = 3
"""Fewer things than these have no rank correlation."""

AT_ONCE = 256
"""Draws that are handled at a time."""


def better(values: Floats, higher: NDArray[np.bool_]) -> Floats:
    """Values (… × metrics) turned so that more is better, and rounded so that equals are equal."""
    return np.asarray(np.round(np.where(higher, values, -values), DIGITS) + 0.0, dtype=np.float64)


def places(values: Floats, real: int) -> Floats:
    """The rank of every system among the first `real` ones, 1 the best (draws × systems × metrics, more is better).

    0.5 + those that are better + half of those that are equal, itself among them; so a system that is none of them is
    ranked between them, from 0.5 (better than all) to `real` + 0.5. nan where it, or none of them, is defined.
    """
    mine, theirs = values[:, :, None, :], values[:, None, :real, :]
    found = 0.5 + (theirs > mine).sum(axis=2) + 0.5 * (theirs == mine).sum(axis=2)
    defined = ~np.isnan(values) & ~np.isnan(values[:, :real]).all(axis=1, keepdims=True)
    return np.where(defined, found, np.nan)


def over_systems(values: Floats) -> Floats:
    """Spearman of every two metrics over systems: draws × systems × metrics → draws × metrics × metrics.

    nan where fewer than `LEAST` systems have both, or one of the two is the same for all.
    """
    draws, _, metrics = values.shape
    found = np.full((draws, metrics, metrics), np.nan)
    for start in range(0, draws, AT_ONCE):
        part = values[start : start + AT_ONCE]
        for a in range(metrics):
            for b in range(a, metrics):
                rho = _spearman(part[:, :, a], part[:, :, b])
                found[start : start + AT_ONCE, a, b] = found[start : start + AT_ONCE, b, a] = rho
    return found


def _spearman(x: Floats, y: Floats) -> Floats:
    """Spearman of the rows of two arrays (draws × systems)."""
    from scipy.stats import rankdata

    both = ~np.isnan(x) & ~np.isnan(y)
    n = both.sum(axis=1)
    ranks = [rankdata(np.where(both, side, np.inf), axis=1) for side in (x, y)]  # what is left out comes last
    centred = [np.where(both, rank - (n[:, None] + 1) / 2, 0.0) for rank in ranks]
    squares = [(side**2).sum(axis=1) for side in centred]
    return _cosine((centred[0] * centred[1]).sum(axis=1), squares[0], squares[1], n)


def _cosine(product: Floats, square_x: Floats, square_y: Floats, n: Floats | NDArray[np.int_]) -> Floats:
    found = np.full(product.shape, np.nan)
    enough = (n >= LEAST) & (square_x > 0) & (square_y > 0)
    np.divide(product, np.sqrt(square_x * square_y), out=found, where=enough)
    return np.asarray(np.clip(found, -1.0, 1.0), dtype=np.float64)


def over_reports(values: Floats, weights: Floats) -> Floats:
    """Spearman of every two metrics over the reports of one system, each report as often as it is drawn.

    `values`: reports × metrics; `weights`: draws × reports, whole numbers. Returns draws × metrics × metrics, nan where
    fewer than `LEAST` different reports have both, or one of the two is the same in all of them. A draw gives what
    ranking its reports anew gives.
    """
    metrics, defined = values.shape[1], ~np.isnan(values)
    found = np.full((len(weights), metrics, metrics), np.nan)
    joint = {(a, b): (defined[:, a] & defined[:, b]).tobytes() for a in range(metrics) for b in range(metrics)}
    for key in dict.fromkeys(joint.values()):
        mask = np.frombuffer(key, dtype=np.bool_)
        cells = [cell for cell, of in joint.items() if of == key]
        used = sorted({metric for cell in cells for metric in cell})
        rows, columns = (np.array([used.index(cell[side]) for cell in cells]) for side in (0, 1))
        if mask.sum() < LEAST:
            continue
        for start in range(0, len(weights), AT_ONCE):
            rho = _weighted(values[mask][:, used], weights[start : start + AT_ONCE][:, mask])
            for cell, row, column in zip(cells, rows, columns, strict=True):
                found[start : start + AT_ONCE, cell[0], cell[1]] = rho[:, row, column]
    return found


def _weighted(values: Floats, weights: Floats) -> Floats:
    """Spearman of every two columns of `values` (reports × metrics, all defined) in every draw."""
    centred = np.stack([_centred_ranks(column, weights) for column in values.T], axis=1)
    products = (centred * weights[:, None, :]) @ centred.transpose(0, 2, 1)
    squares = np.diagonal(products, axis1=1, axis2=2)
    different = (weights > 0).sum(axis=1)[:, None, None]
    return _cosine(products, squares[:, :, None], squares[:, None, :], different)


def _centred_ranks(column: Floats, weights: Floats) -> Floats:
    """The ranks of reports in draws that hold them `weights` times, less their mean; draws × reports."""
    _, group = np.unique(column, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    tied = np.add.reduceat(weights[:, order], starts, axis=1)
    ranks = np.cumsum(tied, axis=1) - tied / 2
    return np.asarray((ranks - weights.sum(axis=1, keepdims=True) / 2)[:, group], dtype=np.float64)
