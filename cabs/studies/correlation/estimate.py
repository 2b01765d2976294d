"""A sample of the whole and of draws → estimates with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cabs.metrics.estimates import Estimate
from cabs.metrics.intervals import Resampling, interval_of
from cabs.metrics.resample import Floats, summed
from cabs.studies.correlation.ranks import LEAST
from cabs.studies.correlation.result import CLINICAL, Couple, Level, LevelName, SystemRow
from cabs.studies.correlation.sample import Sample, families_of
from cabs.studies.correlation.table import Row, Table

FEW_SYSTEMS = f"fewer than {LEAST} systems have both"
FEW_REPORTS = f"fewer than {LEAST} reports have both, or one of the two is the same in all, in every system"
CONSTANT = "one of the two is the same for all systems"
ALONE = "there is no pair of metrics with a coefficient"
NOT_MEASURED = "not measured: the scores come from outside"
UNDEFINED = "undefined: no report contributes"


@dataclass(frozen=True)
class Estimator:
    """Makes estimates of a table: `point`, its numbers; `draws`, those of the draws (None: no intervals); `units`: the
    reports that were drawn together."""

    table: Table
    units: list[list[int]]
    resampling: Resampling
    point: Sample
    draws: Sample | None

    def _percentile(self, value: float, drawn: Floats | None, n: int, reason: str = "") -> Estimate:
        """Ranks and their correlations move in steps, so that BCa's corrections mean little: percentiles."""
        if np.isnan(value):
            return Estimate(None, n, None, reason)
        defined = np.zeros(0) if drawn is None else drawn[~np.isnan(drawn)]
        if not len(defined) or len(self.units) < 2:
            return Estimate(float(value), n)
        how = replace(self.resampling, method="percentile")
        undefined = 0 if drawn is None else len(drawn) - len(defined)
        interval = interval_of(float(value), defined, lambda: defined, len(self.units), how, undefined=undefined)
        return Estimate(float(value), n, interval)

    # Systems

    def systems(self) -> tuple[SystemRow, ...]:
        """Every system and control."""
        return tuple(self._system(at, row) for at, row in enumerate(self.table.rows))

    def _system(self, at: int, row: Row) -> SystemRow:
        metrics, families = self.table.metrics, families_of(self.table)
        ranked = self.point.places[0, at]
        return SystemRow(
            name=row.name,
            label=row.label,
            control=row.control,
            how=row.how,
            values={metric.name: self._value(at, row, column) for column, metric in enumerate(metrics)},
            places={metric.name: _number(ranked[column]) for column, metric in enumerate(metrics)},
            ranks={family: self._rank(at, column) for column, family in enumerate(families)},
            corner={family: bool(share) for family, share in self._corner(self.point, at)},
            in_corner={f: s if self.draws else None for f, s in self._corner(self.draws or self.point, at)},
        )

    def _value(self, at: int, row: Row, column: int) -> Estimate:
        measured = self.table.cells.get((row.name, self.table.metrics[column].name))
        if measured is None:
            return Estimate(None, 0, None, NOT_MEASURED)
        n = int((~np.isnan(measured.values)).sum())
        value = self.point.corpus[0, at, column]
        if np.isnan(value):
            return Estimate(None, n, None, UNDEFINED)
        defined = summed((~np.isnan(measured.values))[:, None].astype(np.float64), self.units)
        contributing = int(np.count_nonzero(defined))
        if self.draws is None or contributing < 2:
            return Estimate(float(value), n)
        drawn = self.draws.corpus[:, at, column]
        known = drawn[~np.isnan(drawn)]

        def left_out() -> Floats:
            statistics = summed(measured.statistics, self.units)
            rest = measured.value_of(statistics.sum(axis=0) - statistics)
            return np.asarray(rest[~np.isnan(rest)], dtype=np.float64)

        undefined = len(drawn) - len(known)
        interval = interval_of(float(value), known, left_out, contributing, self.resampling, undefined=undefined)
        return Estimate(float(value), n, interval)

    def _rank(self, at: int, column: int) -> Estimate:
        drawn = None if self.draws is None else self.draws.families[:, at, column]
        return self._percentile(self.point.families[0, at, column], drawn, len(self.table.real), NOT_MEASURED)

    def _corner(self, sample: Sample, at: int) -> Iterator[tuple[str, float]]:
        """For each family that isn't clinical, the share of draws in which the system is in the corner."""
        families = families_of(self.table)
        if CLINICAL not in families:
            return
        middle, clinical = (len(self.table.real) + 1) / 2, sample.families[:, at, families.index(CLINICAL)]
        for column, family in enumerate(families):
            if family != CLINICAL:
                yield family, float(((sample.families[:, at, column] < middle) & (clinical > middle)).mean())

    # Levels

    def level(self, name: LevelName) -> Level:
        """The coefficients of one level."""
        point = getattr(self.point, name)
        drawn = None if self.draws is None else getattr(self.draws, name)
        metrics = self.table.metrics
        couples = [(a, b) for a in range(len(metrics)) for b in range(a + 1, len(metrics))]
        sizes = {couple: self._sizes(name, *couple) for couple in couples}
        named: dict[tuple[int, int], Couple] = {(a, b): (metrics[a].name, metrics[b].name) for a, b in couples}
        pairs = {named[c]: self._pair(name, c, point, drawn, sizes[c][0]) for c in couples}
        return Level(
            name=name,
            pairs=pairs,
            left_out={named[c]: sizes[c][1] for c in couples},
            families=self._families(couples, point, drawn),
            **self._contrast(couples, point, drawn),
        )

    def _sizes(self, name: LevelName, a: int, b: int) -> tuple[int, int]:
        """What a coefficient is over, and what was left out: systems, or reports of all real systems."""
        if name != "reports":
            rows = self.point.corpus[0] if name == "with_controls" else self.point.corpus[0, : len(self.table.real)]
            both = ~np.isnan(rows[:, a]) & ~np.isnan(rows[:, b])
        else:
            names = [self.table.metrics[at].name for at in (a, b)]
            sides = [[self.table.cells[row.name, n].values for row in self.table.real] for n in names]
            both = ~np.isnan(np.concatenate(sides[0])) & ~np.isnan(np.concatenate(sides[1]))
        return int(both.sum()), int((~both).sum())

    def _pair(self, name: LevelName, couple: tuple[int, int], point: Floats, drawn: Floats | None, n: int) -> Estimate:
        a, b = couple
        reason = FEW_REPORTS if name == "reports" else FEW_SYSTEMS if n < LEAST else CONSTANT
        return self._percentile(point[0, a, b], None if drawn is None else drawn[:, a, b], n, reason)

    def _families(
        self, couples: Sequence[tuple[int, int]], point: Floats, drawn: Floats | None
    ) -> Mapping[Couple, Estimate]:
        names, of = families_of(self.table), [metric.family for metric in self.table.metrics]
        blocks = [(a, b) for at, a in enumerate(names) for b in names[at:]]
        found: dict[Couple, Estimate] = {}
        for block in blocks:
            mine = [c for c in couples if sorted((of[c[0]], of[c[1]])) == sorted(block)]
            found[block] = self._mean(mine, point, drawn)
        return found

    def _contrast(self, couples: Sequence[tuple[int, int]], point: Floats, drawn: Floats | None) -> dict[str, Estimate]:
        of = [metric.family for metric in self.table.metrics]
        within = [c for c in couples if of[c[0]] == of[c[1]]]
        across = [c for c in couples if of[c[0]] != of[c[1]]]
        within, across = (_defined(point, couples) for couples in (within, across))
        difference = float((_mean(point, within) - _mean(point, across))[0])
        differences = None if drawn is None else _mean(drawn, within) - _mean(drawn, across)
        n = len(within) + len(across)
        return {
            "within": self._mean(within, point, drawn),
            "across": self._mean(across, point, drawn),
            "difference": self._percentile(difference, differences, n, ALONE),
        }

    def _mean(self, couples: Sequence[tuple[int, int]], point: Floats, drawn: Floats | None) -> Estimate:
        """The mean coefficient of those pairs of metrics that have one (n); of the same pairs in every draw."""
        defined = _defined(point, couples)
        redrawn = None if drawn is None else _mean(drawn, defined)
        return self._percentile(float(_mean(point, defined)[0]), redrawn, len(defined), ALONE)


def _defined(point: Floats, couples: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in couples if not np.isnan(point[0, a, b])]


def _mean(matrices: Floats, couples: Sequence[tuple[int, int]]) -> Floats:
    """The mean of cells; nan without a cell, or where one of them is undefined."""
    if not couples:
        return np.full(len(matrices), np.nan)
    rows, columns = np.array(couples).T
    return np.asarray(matrices[:, rows, columns].mean(axis=1), dtype=np.float64)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
