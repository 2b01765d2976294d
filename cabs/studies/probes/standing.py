"""The worth of texts on the scale that every metric has: 0 is what it gives to silence, 1 to the reference itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from cabs.metrics.measured import Floats, Measured
from cabs.metrics.pair_metric import PairMetric

Which = NDArray[np.bool_]

FLAT = 1e-9
"""Below this the reference is worth no more than silence, and there is no scale."""


class Standing:
    """What one metric gives to every probe, over all references; `measured` holds the probes' values, and `has` where
    a reference has a probe."""

    def __init__(self, metric: PairMetric, measured: Mapping[str, Measured], has: Mapping[str, Which]) -> None:
        self.metric, self.measured, self.has = metric, measured, has

    def common(self, *names: str) -> Which:
        """The references that have all of these probes."""
        return np.asarray(np.all([self.has[name] for name in names], axis=0))

    def raw(self, name: str, weights: Floats) -> Floats:
        """The corpus values of a probe, in the metric's own scale."""
        return self.measured[name].corpus(weights)

    def worth(self, name: str, weights: Floats) -> Floats:
        """The corpus values of a probe on the common scale, nan where there is none."""
        nothing, whole = self._nothing(weights), self.raw("reference", weights)
        room = whole - nothing
        found = np.full(len(weights), np.nan)
        sound = np.abs(room) > FLAT * np.maximum(1.0, np.abs(whole))
        np.divide(self.raw(name, weights) - nothing, room, out=found, where=sound & ~np.isnan(room))
        better = room > 0 if self.metric.higher else room < 0
        return np.where(better, found, np.nan)

    def _nothing(self, weights: Floats) -> Floats:
        """What silence is worth; where that is undefined the worst value that the metric can have."""
        given = self.raw("empty", weights)
        low, high = self.metric.range
        worst = low if self.metric.higher else high
        return given if worst is None else np.where(np.isnan(given), worst, given)


def difference(standing: Standing, name: str, other: str | None, factor: float = 1.0) -> Callable[[Floats], Floats]:
    """Weights → worth of a probe minus `factor` times that of another one (0 for None)."""

    def values(weights: Floats) -> Floats:
        own = standing.worth(name, weights)
        return own if other is None else own - factor * standing.worth(other, weights)

    return values
