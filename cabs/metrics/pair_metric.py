"""The contract of every metric that compares predictions with references: CABS's own, baselines, third parties'.

A metric has two steps. `work` does what is costly (reads the facts, runs a model) and may be shared by several metrics;
`measured` makes one metric's numbers of it. `measure_all` does each piece of work once. A work that can use several
processes has a method `parallel(batch, workers)` too, which gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from cabs.errors import CabsError
from cabs.metrics.batch import Batch, Facts, batch_of
from cabs.metrics.measured import Measured, means
from cabs.metrics.needs import Needs

Work: TypeAlias = Callable[[Batch], Any]
Scores: TypeAlias = Sequence[float | None]
Settings: TypeAlias = tuple[tuple[str, str], ...]

FAMILIES = ("surface", "embedding", "clinical")
"""The usual families: words in common, nearness in a model's space, clinical content. Others are allowed."""


@dataclass(frozen=True)
class Empty:
    """What a pair's value is where a report is empty: a number, None (undefined), or words where it depends on the
    other report. `prediction`: against a reference with findings; `reference`: against such a prediction."""

    reference: float | str | None
    prediction: float | str | None
    both: float | str | None

    def __str__(self) -> str:
        if self.reference == self.prediction == self.both and not isinstance(self.both, str):
            return f"{_said(self.both)} where either report is empty"
        sides = (("reference", self.reference), ("prediction", self.prediction), ("both", self.both))
        return ", ".join(f"{side} empty: {_said(value)}" for side, value in sides)


def _said(value: float | str | None) -> str:
    return "undefined" if value is None else value if isinstance(value, str) else f"{value:g}"


ZERO = Empty(0.0, 0.0, 0.0)
"""The rule of most word metrics: nothing in common with an empty report, not even with another one."""


def _no_settings() -> Settings:
    return ()


@dataclass(frozen=True, kw_only=True)
class PairMetric:
    """A metric by its canonical `name`.

    - label: what tables show. family: see `FAMILIES`. higher: True where more is better.
    - range: the least and the greatest value (None: no bound). A report that says exactly what the reference says
      gets the best value of all predictions, except where that is undefined.
    - empty: the values of empty reports.
    - independent: False where a pair's value depends on the other pairs of the batch.
    - settings: the choices that change scores; with versions they make the signature.
    - needs: what has to be installed.
    - work, measured: see the module. Metrics whose `work` is equal share it.
    """

    name: str
    label: str
    family: str
    higher: bool
    empty: Empty
    work: Work
    measured: Callable[[Any], Measured]
    range: tuple[float | None, float | None] = (0.0, 1.0)
    independent: bool = True
    needs: Needs = field(default_factory=Needs)
    settings: Callable[[], Settings] = _no_settings
    package: str = "cabs"

    @property
    def signature(self) -> str:
        """Name, settings and versions in one line: `rouge_l|stemmer:yes|rouge-score-rs:0.2.1`."""
        parts = (*self.settings(), *self.needs.versions())
        return "|".join((self.name, *(f"{name}:{text}" for name, text in parts)))

    def measure(
        self,
        references: Sequence[str],
        predictions: Sequence[str],
        reference_facts: Sequence[Facts | None] | None = None,
    ) -> Measured:
        """The values of pairs of texts; see `batch_of`.

        Raises:
            InputError: the lengths differ; MissingExtraError: something isn't installed.
        """
        return measure_all([self], batch_of(references, predictions, reference_facts))[self.name]


def measure_all(metrics: Iterable[PairMetric], batch: Batch, workers: int = 1) -> dict[str, Measured]:
    """Every metric over the same pairs, by name; work that several metrics share is done once, in `workers` processes
    where it can be (more than 1 needs a program that may be imported).

    Raises:
        MissingExtraError: something isn't installed. It is said before any work is done.
        CabsError: a metric gives another number of values than there are pairs, or has another's name.
    """
    chosen = list(metrics)
    for metric in chosen:
        metric.needs.check(f"metric {metric.name!r}")
    done: dict[Hashable, Any] = {}
    found: dict[str, Measured] = {}
    for metric in chosen:
        if metric.name in found:
            raise CabsError(f"the metric {metric.name!r} is asked for twice", place="metrics")
        if metric.work not in done:
            done[metric.work] = _done(metric.work, batch, workers)
        found[metric.name] = _fitting(metric, metric.measured(done[metric.work]), batch)
    return found


def sharing(metrics: Iterable[PairMetric]) -> list[list[PairMetric]]:
    """The metrics in groups that share their work, for who tells how far it is."""
    groups: dict[Hashable, list[PairMetric]] = {}
    for metric in metrics:
        groups.setdefault(metric.work, []).append(metric)
    return list(groups.values())


def _done(work: Work, batch: Batch, workers: int) -> Any:
    parallel = getattr(work, "parallel", None)
    return work(batch) if parallel is None or workers <= 1 else parallel(batch, workers)


def _fitting(metric: PairMetric, measured: Measured, batch: Batch) -> Measured:
    if len(measured) != len(batch):
        what = f"{len(measured)} values for {len(batch)} pairs"
        raise CabsError(what, place=f"metric {metric.name!r} of {metric.package}", hint="one value a pair, in order")
    return measured


@dataclass(frozen=True)
class Scored:
    """The work of a plain function from references and predictions to one score a pair (None or nan: undefined)."""

    function: Callable[[list[str], list[str]], Scores]

    def __call__(self, batch: Batch) -> Scores:
        """The score of each pair."""
        references, predictions = batch.texts()
        return self.function(references, predictions)


def mean_of_scores(scores: Scores) -> Measured:
    """The scores of pairs; the corpus value is their mean.

    Raises:
        CabsError: a score is no number.
    """
    try:
        values = np.array([np.nan if score is None else float(score) for score in scores], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CabsError(f"a score is no number: {error}", place="metric", hint="numbers, None or nan") from None
    return means(values)


def metric(
    *,
    name: str,
    family: str,
    higher: bool,
    empty: Empty,
    label: str = "",
    range: tuple[float | None, float | None] = (0.0, 1.0),
    independent: bool = True,
    needs: Needs | None = None,
    settings: Settings = (),
    package: str = "",
) -> Callable[[Callable[[list[str], list[str]], Scores]], PairMetric]:
    """Makes a metric of a function from references and predictions to scores, whose mean is the corpus value.

    >>> @metric(name="same", family="surface", higher=True, empty=Empty(0.0, 0.0, 1.0))
    ... def same(references, predictions):
    ...     return [float(r == p) for r, p in zip(references, predictions)]
    >>> same.measure(["a", "b"], ["a", "c"]).value
    0.5
    """

    def made(function: Callable[[list[str], list[str]], Scores]) -> PairMetric:
        return PairMetric(
            name=name,
            label=label or name,
            family=family,
            higher=higher,
            empty=empty,
            work=Scored(function),
            measured=mean_of_scores,
            range=range,
            independent=independent,
            needs=needs or Needs(),
            settings=lambda: settings,
            package=package or function.__module__.partition(".")[0],
        )

    return made
