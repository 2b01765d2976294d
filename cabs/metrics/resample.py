"""Counts as arrays: the common ground of intervals and tests. Sums of whole numbers are exact in float64."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cabs.errors import SettingError
from cabs.metrics.counts import FIELDS, Counts
from cabs.metrics.definitions import Metric
from cabs.metrics.rows import Rows, kept

Floats = NDArray[np.float64]

BLOCK = 4_000_000
"""Numbers that one step holds at a time, so that memory doesn't grow with draws times reports."""


def matrix(rows: Sequence[Counts]) -> Floats:
    """Units × fields, in the order of `FIELDS`."""
    return kept(rows).floats()


def units(rows: Sequence[object], clusters: Sequence[str | None] | None) -> list[list[int]]:
    """The rows of each unit that is drawn or swapped whole: a cluster, in order of appearance, or a row
    alone.

    Raises `SettingError` where there isn't one cluster per row.
    """
    if clusters is None:
        return [[at] for at in range(len(rows))]
    _check(rows, clusters)
    found: dict[object, list[int]] = {}
    for at, name in enumerate(clusters):
        found.setdefault(("alone", at) if name is None else name, []).append(at)
    return list(found.values())


def _check(rows: Sequence[object], clusters: Sequence[str | None]) -> None:
    if len(clusters) != len(rows):
        raise SettingError(f"{len(clusters)} clusters for {len(rows)} reports", place="cluster", hint="one per report")


def counted(rows: Sequence[Counts], clusters: Sequence[str | None] | None) -> Rows:
    """The counts of each unit (`units`): of each report, or the sum over each cluster.

    Raises `SettingError` where there isn't one cluster per row.
    """
    small = kept(rows)
    if clusters is None or not len(small):
        return small
    _check(rows, clusters)
    found: dict[object, int] = {}
    named = (("alone", at) if name is None else name for at, name in enumerate(clusters))
    of = np.fromiter((found.setdefault(name, len(found)) for name in named), dtype=np.intp, count=len(small))
    return small if len(found) == len(small) else small.grouped(of, len(found))


def summed(values: Floats, groups: list[list[int]]) -> Floats:
    """The sum of the rows of each group."""
    if all(len(group) == 1 for group in groups):
        return values[[group[0] for group in groups]] if groups else values
    return np.array([values[group].sum(axis=0) for group in groups])


def coefficients(weights: Mapping[str, float]) -> Floats:
    """A weighted sum of counts as a vector over `FIELDS`."""
    found = np.zeros(len(FIELDS))
    for name, weight in weights.items():
        found[FIELDS.index(name)] = weight
    return found


def parts(metric: Metric, values: Floats) -> tuple[Floats, Floats]:
    """Numerator and denominator of each row of `values`."""
    return values @ coefficients(metric.numerator), values @ coefficients(metric.denominator)


def blocks(draws: int, size: int) -> Iterator[int]:
    """The numbers of draws per step."""
    step = max(1, BLOCK // max(1, size))
    for start in range(0, draws, step):
        yield min(step, draws - start)
