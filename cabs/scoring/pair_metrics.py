"""CABS's own metrics under the contract of all metrics: facts of each pair → counts, once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import NamedTuple

from cabs.matching import Settings
from cabs.metrics import Counts, Metric, metrics
from cabs.metrics.batch import Batch, Facts, Item
from cabs.metrics.counts import SCORE, WEIGHT
from cabs.metrics.measured import Measured, ratios
from cabs.metrics.pair_metric import Empty, PairMetric
from cabs.metrics.resample import matrix, parts
from cabs.ontology import Ontology, load_ontology
from cabs.registry import refuse_unknown
from cabs.scoring.judge import Judge, Parser, Plan, parser_name
from cabs.scoring.remembered import reader_of
from cabs.values import Pair

_SILENT = Counts(
    reports=1, with_facts=1, facts=1, organs_reference=1, organs_either=1, weight_missed=WEIGHT, critical_missed=1,
    cabs_facts=SCORE // 2,
)  # fmt: skip
"""The counts of a silent prediction against one critical fact."""

_SAID = {
    "cabs_score": "the less, the more it leaves out",
    "critical_missed_per_100": "100 for each critical fact of the reference",
    "normal_specificity": "undefined; 0 where the reference is normal",
    "cabs_score_normal": "undefined; 0 where the reference is normal",
}
"""Where the value of a silent prediction depends on the reference."""


class Judged(NamedTuple):
    """The counts of each pair, and how many pairs are unscored."""

    rows: list[Counts]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Judging:
    """The work of CABS's metrics: parse each distinct text once, align, count. A reference that is unread leaves its
    pair without a value."""

    settings: Settings
    ontology: Ontology | None = None
    parser: Parser | None = None

    def __call__(self, batch: Batch) -> Judged:
        """The counts of each pair."""
        return self.parallel(batch, 1)

    def parallel(self, batch: Batch, workers: int) -> Judged:
        """The same, the texts read by several processes; a parser of one's own stays in this one."""
        ontology = self.ontology or load_ontology()
        reader = reader_of(ontology, self.parser)
        pairs = [_sides(item) for item in batch.items]
        reader.prepare([side for sides in pairs for side in sides if isinstance(side, str)], workers)
        judge = Judge(Plan(ontology, self.settings, groups=(), parser=reader))
        known = {sides: judge.judge(Pair("", *sides)).counts for sides in dict.fromkeys(pairs)}
        rows = [known[sides] for sides in pairs]
        told = rows[: len(rows) - batch.made]
        unscored = sum(row.unscored for row in told)
        what = f"{unscored} of {len(told)} pairs are unscored: their reference was not read, or a parser failed"
        return Judged(rows, (what,) if unscored else ())


def _sides(item: Item) -> tuple[str | Facts, str | Facts]:
    reference = item.reference if item.reference_facts is None else item.reference_facts
    prediction = item.prediction if item.prediction_facts is None else item.prediction_facts
    return reference or "", prediction or ""


def measured_counts(rows: Sequence[Counts], metric: Metric, notes: tuple[str, ...] = ()) -> Measured:
    """A metric of counts that exist already (`SystemResult.rows`): values, and corpus values from added counts."""
    tops, bottoms = parts(metric, matrix(rows))
    return ratios(tops, bottoms, metric.scale, notes)


def _measured(judged: Judged, metric: Metric) -> Measured:
    return measured_counts(judged.rows, metric, judged.notes)


def clinical(
    name: str,
    *,
    ontology: Ontology | None = None,
    parser: Parser | None = None,
    **settings: str,
) -> PairMetric:
    """One of CABS's metrics by its name; options are those of `Settings`, an ontology, and a parser of the texts.

    Raises:
        SettingError: a setting or its value is unknown.
    """
    refuse_unknown(settings, [field.name for field in fields(Settings)], f"metric {name!r}")
    chosen = Settings.from_items(settings)
    metric = metrics(chosen)[name]
    return PairMetric(
        name=name,
        label=metric.label,
        family="clinical",
        higher=metric.higher,
        empty=Empty(reference=None, prediction=_SAID.get(name, metric.value(_SILENT)), both=None),
        work=Judging(chosen, ontology, parser),
        measured=partial(_measured, metric=metric),
        range=(0.0, 1.0 if metric.scale == 1 else None),
        settings=partial(_settings, chosen, ontology, parser),
    )


def _settings(settings: Settings, ontology: Ontology | None, parser: Parser | None) -> tuple[tuple[str, str], ...]:
    return ("onto", (ontology or load_ontology()).stamp), ("parser", parser_name(parser)), *settings.items()
