"""Metrics of words beside those of facts: the same reports of the same systems, with intervals.

They rank nothing: what words reward is often not what a report gets right (`cabs audit correlation` shows it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cabs.leaderboard.entrant import Entrant
from cabs.metrics.batch import batch_of
from cabs.metrics.estimates import Estimate
from cabs.metrics.intervals import Resampling, drawn_weights, interval_of
from cabs.metrics.measured import Measured
from cabs.metrics.pair_metric import PairMetric, measure_all
from cabs.metrics.registered import pair_metric
from cabs.metrics.resample import Floats, summed, units

USUAL = ("bleu_4", "rouge_l")
"""What needs neither a model nor another program, and is quick."""


@dataclass(frozen=True, slots=True)
class Surface:
    """`metrics` in their order; `values`: system → metric → estimate. `notes`: what is left out, and why."""

    metrics: tuple[PairMetric, ...] = ()
    values: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def surface(entrants: Sequence[Entrant], names: Sequence[str], resampling: Resampling, *, asked: bool) -> Surface:
    """The metrics of these names over the scored reports of each system. Where `asked` is False, what isn't installed
    is left out with a note; so are all of them where a text is not known.

    Raises:
        SettingError: there is no such metric; MissingExtraError: what was asked for isn't installed.
    """
    chosen, notes = [], []
    for metric in map(pair_metric, names):
        missing = metric.needs.missing()
        if missing is not None and not asked:
            notes.append(f"{metric.label} is left out: it needs {missing[0]} ({missing[1]})")
        else:
            metric.needs.check(f"metric {metric.name!r}")
            chosen.append(metric)
    texts = {entrant.name: _texts(entrant) for entrant in entrants}
    blind = [name for name, found in texts.items() if found is None]
    if blind and chosen:
        what = f"metrics of words are left out: the results of {', '.join(map(repr, blind))} hold no texts"
        return Surface(notes=(*notes, what))
    values = {e.name: _measured(e, texts[e.name] or ([], []), chosen, resampling) for e in entrants}
    return Surface(tuple(chosen), values, tuple(notes))


def _texts(entrant: Entrant) -> tuple[list[str], list[str]] | None:
    """References and predictions of the scored reports, in the contender's order; None where one is not known."""
    cases = {case.id: case for case in entrant.cases}
    references: list[str] = []
    predictions: list[str] = []
    for id in entrant.contender.ids:
        case = cases[id]
        prediction = "" if case.status == "missing" else case.prediction
        if case.reference is None or prediction is None:
            return None
        references.append(case.reference)
        predictions.append(prediction)
    return references, predictions


def _measured(
    entrant: Entrant, texts: tuple[list[str], list[str]], chosen: Sequence[PairMetric], resampling: Resampling
) -> dict[str, Estimate]:
    if not texts[0]:
        return {metric.name: Estimate(None, 0, None, "no report was scored") for metric in chosen}
    found = measure_all(chosen, batch_of(*texts))
    groups = units(texts[0], entrant.contender.clusters if any(entrant.contender.clusters) else None)
    return {name: _estimate(measured, groups, resampling) for name, measured in found.items()}


def _estimate(measured: Measured, groups: list[list[int]], resampling: Resampling) -> Estimate:
    value, n = measured.value, int((~np.isnan(measured.values)).sum())
    if value is None:
        return Estimate(None, n, None, "undefined: no report contributes")
    if not resampling.n or len(groups) < 2:
        return Estimate(value, n)
    statistics = summed(measured.statistics, groups)
    drawn = np.concatenate([measured.value_of(w @ statistics) for w in drawn_weights(len(groups), resampling)])
    known = drawn[~np.isnan(drawn)]

    def left_out() -> Floats:
        rest = measured.value_of(statistics.sum(axis=0) - statistics)
        return np.asarray(rest[~np.isnan(rest)], dtype=np.float64)

    undefined = len(drawn) - len(known)
    return Estimate(value, n, interval_of(value, known, left_out, len(groups), resampling, undefined=undefined))
