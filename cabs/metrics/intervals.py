"""Bootstrap intervals from counts: reports (or clusters of them) are drawn anew, sums taken, ratios last.

BCa with the acceleration of the jackknife (Efron 1987), or percentile. The stream of random numbers depends
on the seed and the number of reports alone, so the bytes are the same for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cabs.errors import SettingError
from cabs.metrics.counts import FIELDS, Counts
from cabs.metrics.definitions import Metric
from cabs.metrics.resample import Floats, blocks, counted, parts
from cabs.metrics.rows import Rows, parts_of

Method = Literal["bca", "percentile"]

FEW = 30
"""Below this number of contributing reports an interval carries the warning `few`."""


TOGETHER, WEIGHTS = 256, 16_000_000
"""Draws of many reports that are added up together: so many, and so many units of all of them, at most."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are made: `n` draws (0: none), `level` in (0, 1), `method`, `seed` (0 or more).

    Raises `SettingError` for a value outside its range.
    """

    n: int = 2000
    level: float = 0.95
    method: Method = "bca"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.n < 0 or self.seed < 0:
            raise SettingError("draws and seed are 0 or more", place="resampling")
        if not 0 < self.level < 1:
            raise SettingError(f"the level {self.level} is outside (0, 1)", place="resampling", hint="0.95 is usual")
        if self.method not in ("bca", "percentile"):
            raise SettingError(f"{self.method!r} is no interval", place="resampling", hint="one of: bca, percentile")

    def items(self) -> tuple[tuple[str, str], ...]:
        """The parameters as (name, text), for the signature."""
        return (("ci", f"{self.method}@{self.level:g}"), ("n_boot", str(self.n)), ("seed", str(self.seed)))


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` to `high` at `level` (in the metric's own scale), made by `method` from `contributing` units.

    `fallback`: why percentile stands in for BCa ("" where it doesn't). `few`: fewer than `FEW` units
    contribute, the interval covers less than it says. `undefined`: draws left out because the ratio was
    undefined in them.
    """

    low: float
    high: float
    level: float
    method: Method | Literal["wilson"]
    contributing: int
    fallback: str = ""
    few: bool = False
    undefined: int = 0


def intervals(
    rows: Sequence[Counts],
    table: Mapping[str, Metric],
    resampling: Resampling | None = None,
    clusters: Sequence[str | None] | None = None,
) -> dict[str, Interval | None]:
    """An interval for each metric of `table`; None where the metric is undefined, where fewer than two units
    contribute to its denominator, or for `n` = 0 draws.

    `rows` are counts per report. `clusters` (one per row; patients, say) are drawn whole; None stands alone.
    """
    chosen = resampling or Resampling()
    found = counted(rows, clusters)
    if len(found) < 2 or not chosen.n:
        return dict.fromkeys(table)
    sums = drawn_sums(found, chosen)
    return {name: _interval(metric, found, sums, chosen) for name, metric in table.items()}


def draws(values: Floats, resampling: Resampling) -> Floats:
    """Draws × columns: the sums of each resampled corpus, from units × columns."""
    return np.concatenate([block @ values for block in drawn_weights(len(values), resampling)])


def drawn_weights(size: int, resampling: Resampling) -> Iterator[Floats]:
    """How often each of `size` units is drawn, in blocks of draws × units; the stream that every interval is made
    of."""
    generator = np.random.default_rng(resampling.seed)
    for number in blocks(resampling.n, size):
        drawn = generator.integers(0, size, (number, size)) + np.arange(number)[:, None] * size
        yield np.bincount(drawn.ravel(), minlength=number * size).reshape(number, size).astype(np.float64)


def drawn_sums(rows: Rows, resampling: Resampling) -> Floats:
    """`draws` of the counts of many units, in memory that does not grow with draws times units. Sums of whole numbers
    are exact in whatever order they are made, so these are the same."""
    found, generator = np.zeros((resampling.n, len(FIELDS))), np.random.default_rng(resampling.seed)
    together = max(1, min(TOGETHER, WEIGHTS // len(rows)))
    for at in range(0, resampling.n, together):
        weights = _weights(generator, min(together, resampling.n - at), len(rows))
        start = 0
        for block in rows.blocks():
            part = weights[:, start : start + len(block)]
            found[at : at + len(part)] += part.astype(np.float64) @ block.astype(np.float64)
            start += len(block)
    return found


def _weights(generator: np.random.Generator, number: int, size: int) -> NDArray[np.uint16]:
    """How often each of `size` units is drawn, draws × units, of the same stream as `drawn_weights`."""
    found = np.empty((number, size), dtype=np.uint16)
    for row in found:
        row[:] = np.bincount(generator.integers(0, size, size), minlength=size)
    return found


def _interval(metric: Metric, rows: Rows, sums: Floats, resampling: Resampling) -> Interval | None:
    tops, bottoms = parts_of(metric, rows)
    top, bottom = float(tops.sum()), float(bottoms.sum())
    contributing = int(np.count_nonzero(bottoms))
    if not bottom or contributing < 2:
        return None
    drawn_tops, drawn_bottoms = parts(metric, sums)
    defined = drawn_bottoms != 0
    drawn, undefined = drawn_tops[defined] / drawn_bottoms[defined], int(np.count_nonzero(~defined))
    left_out = partial(_left_out, tops, bottoms)
    return interval_of(top / bottom, drawn, left_out, contributing, resampling, metric.scale, undefined)


def interval_of(
    value: float,
    drawn: Floats,
    left_out: Callable[[], Floats],
    contributing: int,
    resampling: Resampling,
    scale: float = 1.0,
    undefined: int = 0,
) -> Interval:
    """The interval of any statistic: its `value`, its values in the draws in which it is defined (`undefined`: how
    many others there are), and, only asked for BCa, its values with each unit left out."""
    drawn = np.sort(drawn)
    levels, fallback = (1 - resampling.level) / 2, ""
    ends: tuple[float, float] = (levels, 1 - levels)
    if resampling.method == "bca":
        corrected = _corrected(value, drawn, left_out(), ends)
        ends, fallback = (corrected, "") if isinstance(corrected, tuple) else (ends, corrected)
    low, high = (float(x) * scale for x in np.quantile(drawn, ends))
    method: Method = "percentile" if fallback else resampling.method
    return Interval(low, high, resampling.level, method, contributing, fallback, contributing < FEW, undefined)


def _left_out(tops: Floats, bottoms: Floats) -> Floats:
    """The jackknife: the metric without each unit, from the sums; where that is undefined it is left out."""
    rest_tops, rest_bottoms = tops.sum() - tops, bottoms.sum() - bottoms
    defined = rest_bottoms != 0
    return np.asarray(rest_tops[defined] / rest_bottoms[defined], dtype=np.float64)


def _corrected(value: float, drawn: Floats, left_out: Floats, ends: tuple[float, float]) -> tuple[float, float] | str:
    """The corrected ends of BCa, or why there are none."""
    if value in (0.0, 1.0):
        return f"the value is {value:g}"
    slack = 1e-12 * max(1.0, abs(value))
    below = np.count_nonzero(drawn < value - slack) + np.count_nonzero(abs(drawn - value) <= slack) / 2
    if below in (0, len(drawn)):
        return "every draw lies on one side of the value"
    if not len(left_out):
        return "the value is undefined without any one unit"
    normal = NormalDist()
    bias = normal.inv_cdf(below / len(drawn))
    deviations = left_out.mean() - left_out
    spread = float((deviations**2).sum())
    acceleration = float((deviations**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    moved: list[float] = []
    for end in ends:
        shifted = bias + normal.inv_cdf(end)
        room = 1 - acceleration * shifted
        if room <= 0:
            return "the acceleration is too great"
        moved.append(normal.cdf(bias + shifted / room))
    return moved[0], moved[1]
