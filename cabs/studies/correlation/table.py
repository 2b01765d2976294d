"""Systems, controls and metrics → the table of what every metric says of every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from cabs.metrics.batch import batch_of_pairs
from cabs.metrics.measured import Measured
from cabs.metrics.pair_metric import PairMetric, measure_all, sharing
from cabs.studies.correlation.controls import Control
from cabs.studies.correlation.runs import CONTROL, Runs
from cabs.values import Pair

Progress = Callable[[int], None]
PutFacts = Callable[[Pair], Pair]

EXTERNAL = "column"
"""The package of metrics whose scores were made elsewhere: they know nothing of controls."""


@dataclass(frozen=True, slots=True)
class Row:
    """A system of the table. `name` is its key, `label` what tables show; `how`: how a control was made, "" for a real
    system."""

    name: str
    label: str
    how: str = ""

    @property
    def control(self) -> bool:
        """Whether it is a control."""
        return self.name.startswith(CONTROL)


@dataclass(frozen=True, eq=False)
class Table:
    """`rows`: real systems by name, then controls. `cells`: by the name of row and metric, over the ids in their order;
    a cell is missing where the metric can't be measured (external scores of a control). `notes`: what metrics say of
    their numbers, each once."""

    ids: tuple[str, ...]
    rows: tuple[Row, ...]
    metrics: tuple[PairMetric, ...]
    cells: Mapping[tuple[str, str], Measured] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def real(self) -> tuple[Row, ...]:
        """The rows that are no controls."""
        return tuple(row for row in self.rows if not row.control)


def table_of(
    runs: Runs,
    controls: Sequence[Control],
    metrics: Sequence[PairMetric],
    put_facts: PutFacts | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Table:
    """Every metric of every system and control, work that metrics share done once, in `workers` processes where it can
    be; `progress` is told the metrics done.

    Raises:
        MissingExtraError: a metric lacks what it needs, which is known before any work is done.
        InputError: a metric of words meets a report that is facts alone.
    """
    for metric in metrics:
        metric.needs.check(f"metric {metric.name!r}")
    real = [pair for pairs in runs.systems.values() for pair in pairs]
    made = [pair for control in controls for pair in _pairs(control, runs.references)]
    rows = [*(Row(name, name) for name in runs.systems), *(Row(CONTROL + c.name, c.label, c.how) for c in controls)]
    size = len(runs.ids)
    cells: dict[tuple[str, str], Measured] = {}
    notes: dict[str, None] = {}
    done = 0
    for group in sharing(metrics):
        external = group[0].package == EXTERNAL
        batch = batch_of_pairs(real if external else [*real, *made], put_facts)
        batch = replace(batch, made=len(batch) - len(real))
        for name, measured in measure_all(group, batch, workers).items():
            notes.update(dict.fromkeys(measured.notes))
            for at, row in enumerate(rows[: len(batch) // size]):
                cells[row.name, name] = measured.take(np.arange(at * size, (at + 1) * size))
        done += len(group)
        if progress is not None:
            progress(done)
    return Table(runs.ids, tuple(rows), tuple(metrics), cells, tuple(notes))


def _pairs(control: Control, references: Sequence[Pair]) -> Iterable[Pair]:
    for pair, prediction in zip(references, control.predictions, strict=True):
        yield Pair(pair.id, pair.reference, prediction, CONTROL + control.name, pair.cluster, {}, pair.source)
