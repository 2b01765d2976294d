"""Systems on the same references, and metrics → the correlation study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cabs.errors import SettingError
from cabs.metrics.intervals import FEW, Resampling
from cabs.metrics.pair_metric import PairMetric
from cabs.metrics.resample import units
from cabs.ontology import Ontology
from cabs.parsing.parser import NAME as RULES
from cabs.scoring.judge import Judge, Plan
from cabs.scoring.reference import ReferenceFacts
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.studies.correlation.controls import Control, Maker
from cabs.studies.correlation.estimate import Estimator
from cabs.studies.correlation.examples import examples
from cabs.studies.correlation.ranks import LEAST
from cabs.studies.correlation.result import Correlation, LevelName, MetricRow, Unavailable
from cabs.studies.correlation.runs import Runs
from cabs.studies.correlation.sample import drawn, whole
from cabs.studies.correlation.table import Table, table_of

NAME = "correlation"
LEVELS: tuple[LevelName, ...] = ("systems", "with_controls", "reports")
Progress = Callable[[int], None]
"""Told the steps done: one a metric, then one a draw."""


@dataclass(frozen=True)
class Design:
    """What the study is made of: the intervals, whether there are controls, the text of the normal report ("": the
    built-in one that fits), checked facts of the references, and the column that the clusters come from."""

    resampling: Resampling = field(default_factory=Resampling)
    controls: bool = True
    normal: str = ""
    reference_facts: ReferenceFacts | None = None
    cluster: str | None = None


def correlation(
    runs: Runs,
    metrics: Sequence[PairMetric],
    ontology: Ontology,
    *,
    design: Design | None = None,
    unavailable: Sequence[Unavailable] = (),
    workers: int = 1,
    progress: Progress | None = None,
) -> Correlation:
    """How far metrics rank systems, and reports, alike (specification of CABS, "Studies": evaluation hallucination).

    Over systems: Spearman of the corpus values of the real systems. Controls are not among them, since the reference
    and the empty report stand at the two ends of every metric and would make any two agree; the level `with_controls`
    shows by how much. Over reports: Spearman within each real system, then the mean over systems, so that differences
    between systems have no part in it. Where a metric is undefined for a report (facts of a normal pair) that report is
    left out of its coefficients, and counted. Reports are drawn anew for intervals, the same ones for all systems and
    metrics; with few systems a coefficient is a description of these systems, so there is no p.

    Raises:
        SettingError: there are fewer than two metrics; MissingExtraError: one lacks what it needs.
        InputError: a metric of words meets a report that is facts alone.
    """
    chosen = design or Design()
    if len(metrics) < 2:
        raise SettingError("a correlation takes two metrics", place="--metrics", hint="cabs metrics lists them")
    made = _controls(runs, ontology, chosen) if chosen.controls else ()
    put = None if chosen.reference_facts is None else chosen.reference_facts.put
    ordered = sorted(metrics, key=lambda metric: _family_order(metrics).index(metric.family))
    table = table_of(runs, made, ordered, put, workers, progress)
    estimator = _estimator(table, runs, chosen.resampling, len(metrics), progress)
    return Correlation(
        signature=_signature(runs, ontology, chosen, table),
        ids=runs.ids,
        left_out=runs.left_out,
        metrics=tuple(MetricRow(m.name, m.label, m.family, m.higher, m.signature) for m in table.metrics),
        unavailable=tuple(unavailable),
        systems=estimator.systems(),
        levels={name: estimator.level(name) for name in LEVELS},
        examples=examples(table, runs),
        notes=_notes(table, runs, chosen, ontology),
        values={cell: measured.values for cell, measured in table.cells.items()},
    )


def _family_order(metrics: Sequence[PairMetric]) -> list[str]:
    return list(dict.fromkeys(metric.family for metric in metrics))


def _controls(runs: Runs, ontology: Ontology, design: Design) -> tuple[Control, ...]:
    judge = Judge(Plan(ontology, groups=()))
    return Maker(ontology, judge.matcher, judge.read, design.resampling.seed, design.normal).make(runs.references)


def _estimator(table: Table, runs: Runs, resampling: Resampling, steps: int, progress: Progress | None) -> Estimator:
    groups = units([None] * len(runs.ids), [pair.cluster for pair in runs.references])
    told = None if progress is None else lambda done: progress(steps + done)
    draws = drawn(table, groups, resampling, told) if resampling.n and len(groups) > 1 else None
    return Estimator(table, groups, resampling, whole(table), draws)


def _notes(table: Table, runs: Runs, design: Design, ontology: Ontology) -> tuple[str, ...]:
    found = list(table.notes)
    for name, number in runs.left_out.items():
        if number:
            found.append(f"{number} reports of {name} are left out: not every system has them")
    if design.reference_facts is not None:
        found += design.reference_facts.warnings(ontology.content_hash)
    clusters = {pair.cluster or f" {pair.id}" for pair in runs.references}
    if design.resampling.n and len(clusters) < FEW:
        found.append(f"{len(clusters)} reports (or clusters) are few: intervals cover less than they say")
    if len(runs.systems) < LEAST:
        found.append(f"{len(runs.systems)} systems have no rank correlation; over reports there is one")
    return tuple(found)


def _signature(runs: Runs, ontology: Ontology, design: Design, table: Table) -> Signature:
    names = ",".join(metric.name for metric in table.metrics)
    metrics = sha256("\n".join(metric.signature for metric in table.metrics).encode()).hexdigest()
    parameters = [
        ("study", NAME),
        ("metrics", names),
        ("metrics_hash", metrics[:HASH_LENGTH]),
        ("runs", runs.content_hash[:HASH_LENGTH]),
        ("controls", _controls_said(design)),
        ("ranks", "percentile"),
        *design.resampling.items(),
    ]
    if design.cluster is not None or any(pair.cluster is not None for pair in runs.references):
        parameters.append(("cluster", design.cluster or "cluster"))
    if design.reference_facts is not None:
        parameters.append(("facts", design.reference_facts.hash[:HASH_LENGTH]))
    onto = f"{ontology.name}@{ontology.version}"
    return sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser=RULES, parameters=parameters)


def _controls_said(design: Design) -> str:
    if not design.controls:
        return "no"
    return f"normal={sha256(design.normal.encode()).hexdigest()[:HASH_LENGTH]}" if design.normal else "yes"
