"""Stated orders of candidates → how many of them a metric keeps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cabs.metrics.estimates import Estimate
from cabs.metrics.measured import Floats
from cabs.studies.counterfactual.rank import alike, won
from cabs.studies.humans.association import Association
from cabs.studies.humans.rated import Order
from cabs.studies.humans.sample import Sample


def order_measures(
    sample: Sample, values: Floats, orders: Sequence[Order], *, bare: bool = False
) -> dict[str, Estimate]:
    """order: the share of "better than" that the values keep, equal and undefined ones counting half. equal: the share
    of "as good as" in which they are equal. `sample` holds all candidates."""
    better = [order for order in orders if not order.equal]
    same = [order for order in orders if order.equal]
    measures = {
        "order": _share(better, [won(values[o.first], values[o.second], True) / 2 for o in better], len(values)),
        "equal": _share(same, [float(alike(values[o.first], values[o.second])) for o in same], len(values)),
    }
    return sample.estimates(measures, {"order": len(better), "equal": len(same)}, bare=bare)


def _share(orders: Sequence[Order], kept: Sequence[float], size: int) -> Association:
    """The weighted mean of `kept`; an order has the weight of its first candidate, whose unit is drawn whole."""
    top, bottom = np.zeros(size), np.zeros(size)
    for order, value in zip(orders, kept, strict=True):
        top[order.first] += value
        bottom[order.first] += 1

    def values(weights: Floats) -> Floats:
        tops, bottoms = weights @ top, weights @ bottom
        found = np.full(len(weights), np.nan)
        np.divide(tops, bottoms, out=found, where=bottoms > 0)
        return found

    return values
