"""A table and how often each report is drawn → every number of the study, for all draws at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cabs.metrics.intervals import Resampling, drawn_weights
from cabs.metrics.resample import Floats
from cabs.studies.correlation.ranks import Mask, better, over_reports, over_systems, places
from cabs.studies.correlation.table import Table

LITTLE = 500
"""Draws after which progress is told."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Numbers of each draw, rows and metrics in the order of the table, nan where undefined.

    `corpus`, `places`: draws × rows × metrics. `families`: mean places, draws × rows × families. `systems` (real ones),
    `with_controls`, `reports` (the mean over the real systems that have one for the reports as they are; nan in a draw
    in which one of these has none): Spearman, draws × metrics × metrics.
    """

    corpus: Floats
    places: Floats
    families: Floats
    systems: Floats
    with_controls: Floats
    reports: Floats


def families_of(table: Table) -> tuple[str, ...]:
    """The families of the metrics, in their order."""
    return tuple(dict.fromkeys(metric.family for metric in table.metrics))


def defined_mean(values: Floats, axis: int) -> Floats:
    """The mean of what is defined; nan where nothing is."""
    n = (~np.isnan(values)).sum(axis=axis)
    found = np.full(n.shape, np.nan)
    np.divide(np.nansum(values, axis=axis), n, out=found, where=n > 0)
    return found


def sample_of(table: Table, weights: Floats, known: Mask | None = None) -> Sample:
    """Every number of draws (draws × reports: how often each is drawn). All rows and metrics share the draws. `known`:
    what `known_over_reports` gives, worked out where it isn't given."""
    higher = _higher(table)
    real = len(table.real)
    corpus = np.full((len(weights), len(table.rows), len(table.metrics)), np.nan)
    for (row, metric), (at, column) in _cells(table):
        corpus[:, at, column] = table.cells[row, metric].corpus(weights)
    turned = better(corpus, higher)
    ranked = places(turned, real)
    of = np.array([metric.family for metric in table.metrics])
    by_family = [defined_mean(ranked[:, :, of == family], axis=2) for family in families_of(table)]
    return Sample(
        corpus=corpus,
        places=ranked,
        families=np.stack(by_family, axis=2),
        systems=over_systems(turned[:, :real]),
        with_controls=over_systems(turned),
        reports=_over_reports(table, weights, known_over_reports(table) if known is None else known),
    )


def _cells(table: Table) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    for at, row in enumerate(table.rows):
        for column, metric in enumerate(table.metrics):
            if (row.name, metric.name) in table.cells:
                yield (row.name, metric.name), (at, column)


def _higher(table: Table) -> Mask:
    return np.array([metric.higher for metric in table.metrics])


def _within(table: Table, weights: Floats) -> Iterator[Floats]:
    """Spearman over the reports of each real system: draws × metrics × metrics."""
    for row in table.real:
        values = np.stack([table.cells[row.name, metric.name].values for metric in table.metrics], axis=1)
        yield over_reports(better(values, _higher(table)), weights)


def known_over_reports(table: Table) -> Mask:
    """In which real systems two metrics have a coefficient over the reports as they are: systems × metrics × metrics.
    The mean over systems is over these in every draw, so that no draw's mean is over others."""
    return np.array([~np.isnan(rho[0]) for rho in _within(table, np.ones((1, len(table.ids))))])


def _over_reports(table: Table, weights: Floats, known: Mask) -> Floats:
    total = np.zeros((len(weights), len(table.metrics), len(table.metrics)))
    for mine, rho in zip(known, _within(table, weights), strict=True):
        total += np.where(mine, rho, 0.0)
    n = known.sum(axis=0)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)


def whole(table: Table) -> Sample:
    """The numbers of the reports as they are: one draw that holds each once."""
    return sample_of(table, np.ones((1, len(table.ids))))


def drawn(
    table: Table, units: Sequence[Sequence[int]], resampling: Resampling, progress: Callable[[int], None] | None = None
) -> Sample:
    """The numbers of all draws; `units`: the reports that are drawn together (a patient's)."""
    of = np.empty(len(table.ids), dtype=np.intp)
    for number, unit in enumerate(units):
        of[list(unit)] = number
    parts: list[Sample] = []
    done, known = 0, known_over_reports(table)
    for block in drawn_weights(len(units), resampling):
        for start in range(0, len(block), LITTLE):
            parts.append(sample_of(table, block[start : start + LITTLE][:, of], known))
            done += len(parts[-1].corpus)
            if progress is not None:
                progress(done)
    return _joined(parts)


def _joined(parts: Iterable[Sample]) -> Sample:
    found = list(parts)
    return Sample(*(np.concatenate([getattr(part, name) for part in found]) for name in Sample.__dataclass_fields__))
