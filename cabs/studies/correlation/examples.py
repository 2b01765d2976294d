"""A table → the pairs that best show what the study is about: near in words, far in facts."""

from __future__ import annotations

import numpy as np

from cabs.metrics.resample import Floats
from cabs.studies.correlation.ranks import better
from cabs.studies.correlation.result import CLINICAL, Example
from cabs.studies.correlation.runs import Runs
from cabs.studies.correlation.sample import defined_mean
from cabs.studies.correlation.table import Table
from cabs.values import Pair, QuotedReport

SHOWN = 5


def examples(table: Table, runs: Runs, shown: int = SHOWN) -> tuple[Example, ...]:
    """The pairs of real systems that rank highest by words less by facts, of different reports and texts; none where
    there are no two families."""
    of = np.array([metric.family for metric in table.metrics])
    if CLINICAL not in of or (of == CLINICAL).all():
        return ()
    shares = np.stack([_shares(table, column) for column in range(len(of))], axis=1)
    near, clinical = (defined_mean(shares[:, chosen], axis=1) for chosen in (of != CLINICAL, of == CLINICAL))
    pairs = [pair for row in table.real for pair in runs.systems[row.name]]
    gaps = np.round(near - clinical, 12)
    order = sorted(
        range(len(pairs)), key=lambda at: (-np.nan_to_num(gaps[at], nan=-9.0), pairs[at].id, pairs[at].system)
    )
    found: list[Example] = []
    for at in order:
        pair = pairs[at]
        known = {e.id for e in found}, {e.prediction for e in found}
        if len(found) < shown and gaps[at] > 0 and pair.id not in known[0] and _text(pair, False) not in known[1]:
            found.append(_example(pair, float(near[at]), float(clinical[at])))
    return tuple(found)


def _shares(table: Table, column: int) -> Floats:
    """For every pair of the real systems, the share of pairs that are worse by a metric; 1 where none is better, also
    if most are as good."""
    from scipy.stats import rankdata

    metric = table.metrics[column]
    raw = np.concatenate([table.cells[row.name, metric.name].values for row in table.real])
    values = better(raw, np.array(metric.higher))
    defined = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    if defined.any():
        known = values[defined]
        found[defined] = np.where(known == known.max(), 1.0, (rankdata(known, method="min") - 1) / len(known))
    return found


def _example(pair: Pair, near: float, clinical: float) -> Example:
    return Example(pair.id, pair.system or "", near, clinical, _text(pair, True), _text(pair, False))


def _text(pair: Pair, reference: bool) -> str:
    side = pair.reference if reference else pair.prediction
    if isinstance(side, QuotedReport):
        return side.text or ""
    return side if isinstance(side, str) else ""
