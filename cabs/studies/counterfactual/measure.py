"""Groups of variants and metrics → φ of every metric with intervals over references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cabs.metrics.batch import batch_of
from cabs.metrics.estimates import Estimate, Share, estimates
from cabs.metrics.intervals import Resampling
from cabs.metrics.measured import Floats
from cabs.metrics.pair_metric import PairMetric, measure_all, sharing
from cabs.studies.counterfactual.edits import TYPES
from cabs.studies.counterfactual.ladder import RUNGS
from cabs.studies.counterfactual.rank import EQUAL, Group, counts

WHATS = (
    "all", "identity", "steps", *(f"type {t}" for t in TYPES), *(f"step {t}" for t in TYPES),
    *(f"step {n}" for n in range(RUNGS)), EQUAL,
)  # fmt: skip
"""Everything of which there is a φ; see `cabs.studies.counterfactual.rank.comparisons`."""

Phis = Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one metric: one array a group, one value a variant."""

    metric: PairMetric
    groups: tuple[Floats, ...]


def values_of(
    groups: Sequence[Group], metrics: Sequence[PairMetric], progress: Callable[[int], None] | None = None
) -> list[Values]:
    """The values of every metric for every variant against its reference. All at once, since some metrics are slow to
    start; `progress` is told the metrics done.

    Raises:
        MissingExtraError: a metric lacks what it needs.
    """
    batch = batch_of(
        [group.reference for group in groups for _ in group.variants],
        [variant.text for group in groups for variant in group.variants],
    )
    cuts = np.cumsum([len(group.variants) for group in groups])[:-1]
    found: dict[str, tuple[Floats, ...]] = {}
    for some in sharing(metrics):
        for name, measured in measure_all(some, batch).items():
            found[name] = tuple(np.split(measured.values, cuts))
        if progress is not None:
            progress(len(found))
    return [Values(metric, found[metric.name]) for metric in metrics]


def phis(groups: Sequence[Group], values: Values, resampling: Resampling) -> dict[str, Estimate]:
    """φ of one metric by what it is of (`WHATS`); references are drawn anew. `n` are pairs. None where there is no
    pair of the kind."""
    higher = values.metric.higher
    rows: list[Counter[str]] = [counts(g, v.tolist(), higher) for g, v in zip(groups, values.groups, strict=True)]
    shares = {what: _Phi(f"{what} +", (what,), empty="there is no such pair") for what in WHATS}
    return estimates(rows, shares, resampling)


class _Phi(Share):
    """A share of pairs, which were counted twice."""

    def n(self, sums: Floats) -> int:
        """The pairs."""
        return super().n(sums) // 2
