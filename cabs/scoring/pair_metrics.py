"""CABS's own metrics under the contract of all metrics: facts of each pair → counts, once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from typing import NamedTuple

from cabs.errors import SettingError
from cabs.matching import Settings
from cabs.metrics import Counts, Metric, metrics
from cabs.metrics.batch import Batch, Facts, Item
from cabs.metrics.counts import SCORE, WEIGHT
from cabs.metrics.measured import Measured, ratios
from cabs.metrics.pair_metric import Empty, PairMetric
from cabs.metrics.resample import matrix, parts
from cabs.ontology import Ontology, load_ontology
from cabs.parsing import parse
from cabs.parsing.parser import NAME as RULES
from cabs.registry import offer
from cabs.scoring.judge import Judge, Parser, Plan
from cabs.signature import HASH_LENGTH
from cabs.values import Pair, ParsedReport

REMEMBERED = 8192
"""Texts whose facts are kept: the references of a study come again with every system."""

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
        judge = _judge(self.ontology or load_ontology(), self.settings, self.parser)
        known: dict[tuple[str | Facts, str | Facts], Counts] = {}
        rows = []
        for item in batch.items:
            sides = _sides(item)
            if sides not in known:
                known[sides] = judge.judge(Pair(item.id, *sides)).counts
            rows.append(known[sides])
        unscored = sum(row.unscored for row in rows)
        notes = (
            (f"{unscored} of {len(rows)} pairs are unscored: their reference was not read, or a parser failed",)
            if unscored
            else ()
        )
        return Judged(rows, notes)


def _sides(item: Item) -> tuple[str | Facts, str | Facts]:
    reference = item.reference if item.reference_facts is None else item.reference_facts
    prediction = item.prediction if item.prediction_facts is None else item.prediction_facts
    return reference or "", prediction or ""


@lru_cache(maxsize=8)
def _judge(ontology: Ontology, settings: Settings, parser: Parser | None) -> Judge:
    def read(text: str) -> ParsedReport:
        return parse(text, ontology=ontology) if parser is None else parser(text)

    return Judge(Plan(ontology, settings, groups=(), parser=lru_cache(REMEMBERED)(read)))


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
    known = [field.name for field in fields(Settings)]
    for option in settings:
        if option not in known:
            what = f"{option!r} is no option of it"
            raise SettingError(what, place=f"metric {name!r}", hint=offer(option, known))
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
    onto = ontology or load_ontology()
    reader = RULES if parser is None else getattr(parser, "__qualname__", type(parser).__qualname__)
    version = f"{onto.version}/{onto.content_hash[:HASH_LENGTH]}"
    return ("onto", version), ("parser", reader), *settings.items()
