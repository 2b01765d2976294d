"""The counts of many reports, kept small: whole numbers in as few bytes as they need, a block of reports at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cabs.metrics.counts import FIELDS, Counts
from cabs.metrics.definitions import Metric
from cabs.metrics.packed import BLOCK, Packed

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Vector: TypeAlias = tuple[int, ...]
Block: TypeAlias = tuple[NDArray[np.integer], ...]


class Rows(Packed[Counts, Vector, Block]):
    """Counts report by report: about forty bytes a report instead of a kilobyte."""

    @classmethod
    def of_columns(cls, columns: Sequence[NDArray[np.integer]]) -> Rows:
        """The rows whose fields are these columns, in the order of `FIELDS` and of one length."""
        found, size = cls(), len(columns[0])
        whole = size - size % BLOCK
        for start in range(0, whole, BLOCK):
            found._blocks.append(tuple(_small(column[start : start + BLOCK]) for column in columns))
        found._waiting = list(zip(*(column[whole:].tolist() for column in columns), strict=True))
        return found

    def append(self, value: Counts) -> None:
        """Add the counts of one more report."""
        self._add(value.vector())

    def extend(self, values: Iterable[Counts]) -> None:
        """Add those of some more."""
        for vector in values.vectors() if isinstance(values, Rows) else (row.vector() for row in values):
            self._add(vector)

    def _pack(self, waiting: list[Vector]) -> Block:
        return tuple(_small(column) for column in np.array(waiting, dtype=np.int64).T)

    def _from_block(self, block: Block, at: int) -> Counts:
        return Counts(*(int(column[at if len(column) > 1 else 0]) for column in block))

    def _from_waiting(self, waiting: Vector) -> Counts:
        return Counts(*waiting)

    def __iter__(self) -> Iterator[Counts]:
        return (Counts(*vector) for vector in self.vectors())

    def vectors(self) -> Iterator[Vector]:
        """The fields of each report as a tuple, in the order of `FIELDS`."""
        for block in self._blocks:
            yield from zip(*(_full(column).tolist() for column in block), strict=True)
        yield from self._waiting

    def blocks(self) -> Iterator[Whole]:
        """Some thousand reports at a time: reports × fields."""
        for block in self._blocks:
            yield np.stack([_full(column).astype(np.int64) for column in block], axis=1)
        if self._waiting:
            yield np.array(self._waiting, dtype=np.int64)

    def column(self, name: str) -> Whole:
        """One field of all reports."""
        at = FIELDS.index(name)
        found = [_full(block[at]).astype(np.int64) for block in self._blocks]
        return np.concatenate([*found, np.array([row[at] for row in self._waiting], dtype=np.int64)])

    def total(self) -> Counts:
        """The sum over all reports; zero for none."""
        sums = [0] * len(FIELDS)
        for block in self.blocks():
            sums = [a + int(b) for a, b in zip(sums, block.sum(axis=0), strict=True)]
        return Counts(*sums)

    def floats(self) -> Floats:
        """Reports × fields, all at once."""
        blocks = [block.astype(np.float64) for block in self.blocks()]
        return np.concatenate(blocks) if blocks else np.zeros((0, len(FIELDS)))

    def take(self, at: NDArray[np.intp]) -> Rows:
        """The reports at these positions."""
        return Rows.of_columns([_smallest(self.column(name)[at]) for name in FIELDS])

    def grouped(self, units: NDArray[np.intp], number: int) -> Rows:
        """The sums of the reports of each unit; `units` has the unit of each report, 0 to `number` − 1."""
        sums = (np.bincount(units, weights=self.column(name), minlength=number) for name in FIELDS)
        return Rows.of_columns([_smallest(column.astype(np.int64)) for column in sums])

    @property
    def nbytes(self) -> int:
        """Bytes that the packed numbers take; those that wait count as much as in a block of bytes and words."""
        return sum(column.nbytes for block in self._blocks for column in block) + len(self._waiting) * len(FIELDS)


def _small(column: NDArray[np.integer]) -> NDArray[np.integer]:
    """A column of a block in the fewest bytes, a single number where all are the same."""
    low, high = int(column.min()), int(column.max())
    return _smallest(column[:1] if low == high else column, low, high)


def _smallest(column: NDArray[np.integer], low: int | None = None, high: int | None = None) -> NDArray[np.integer]:
    if not len(column):
        return column
    ends = (int(column.min()) if low is None else low, int(column.max()) if high is None else high)
    return column.astype(np.result_type(*(np.min_scalar_type(end) for end in ends)))


def _full(column: NDArray[np.integer]) -> NDArray[np.integer]:
    return column if len(column) == BLOCK else np.broadcast_to(column, BLOCK)


def kept(rows: Sequence[Counts]) -> Rows:
    """The same rows, kept small."""
    return rows if isinstance(rows, Rows) else Rows(rows)


def parts_of(metric: Metric, rows: Rows) -> tuple[Floats, Floats]:
    """Numerator and denominator of a metric for each report; exact, since both are whole."""
    return _weighed(metric.numerator, rows), _weighed(metric.denominator, rows)


def _weighed(weights: Mapping[str, float], rows: Rows) -> Floats:
    found = np.zeros(len(rows))
    for name, weight in weights.items():
        found += weight * rows.column(name)
    return found


def values_of(metric: Metric, rows: Rows) -> Floats:
    """A metric of each report, nan where it is undefined."""
    top, bottom = parts_of(metric, rows)
    found = np.full(len(rows), np.nan)
    np.divide(metric.scale * top, bottom, out=found, where=bottom != 0)
    return found


def listed(values: Floats) -> Iterator[float]:
    """The numbers of an array as Python's own, some thousand at a time."""
    return chain.from_iterable(values[at : at + BLOCK].tolist() for at in range(0, len(values), BLOCK))
