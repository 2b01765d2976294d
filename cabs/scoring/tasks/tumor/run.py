"""Many pairs → the result of a run over tumors, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from cabs.io.jsontext import json_page
from cabs.io.output import Staging, staged, writing
from cabs.io.tables import CsvTable, Row
from cabs.metrics.intervals import Resampling
from cabs.parsing.parser import NAME as RULES
from cabs.scoring.left_out import left_out
from cabs.scoring.pool import mapped
from cabs.scoring.reference import ReferenceFacts
from cabs.scoring.run import CLUSTER, FACTS
from cabs.scoring.tally import Listing
from cabs.scoring.tasks.tumor.counts import mean, metrics, score, total
from cabs.scoring.tasks.tumor.intervals import ByOrgan, intervals
from cabs.scoring.tasks.tumor.judge import REPORTS, TumorJudge, TumorPlan, judging
from cabs.scoring.tasks.tumor.result import TASK, Scope, TumorResult, TumorSystem, document
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.values import Pair

RESULTS, ROWS = "results.json", "reports.csv"
FILES = (RESULTS, ROWS)
"""Every file that a run writes into its folder."""


@dataclass(frozen=True, slots=True)
class TumorOptions:
    """How a run goes about its work; `resampling`, `cluster` (the column of the clusters) and `reference_facts` change
    numbers, the others none."""

    resampling: Resampling = field(default_factory=Resampling)
    cluster: str | None = None
    reference_facts: ReferenceFacts | None = None
    workers: int = 1
    output: Path | None = None
    progress: Callable[[int], None] = lambda _: None


def signature_of(plan: TumorPlan, options: TumorOptions, cluster: str | None) -> Signature:
    """Everything that changes a number of a run."""
    group = plan.ontology.groups[plan.how.group]
    parameters = [("task", TASK), ("group", f"{group.id}@{group.content_hash[:HASH_LENGTH]}")]
    for record in (plan.how, plan.columns, plan.counting):
        parameters += [(f.name, _shown(getattr(record, f.name))) for f in fields(record) if f.name != "group"]
    parameters += options.resampling.items()
    parameters += [] if cluster is None else [("cluster", cluster)]
    facts = options.reference_facts
    parameters += [] if facts is None else [(FACTS, facts.hash[:HASH_LENGTH])]
    onto = plan.ontology
    version = f"{onto.name}@{onto.version}"
    return sign(ontology_version=version, ontology_hash=onto.content_hash, parser=RULES, parameters=parameters)


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def run_tumor(pairs: Iterable[Pair], plan: TumorPlan, options: TumorOptions) -> TumorResult:
    """Judge the pairs, add them up and, with an output folder, write its files, all or none.

    Raises:
        CabsError: what reading the pairs raises, an output that can't be written, or a worker that died;
        SettingError: the plan names an unknown group or organ.
    """
    TumorJudge(plan)  # so that an unknown name is told before any work
    facts = options.reference_facts
    pairs = pairs if facts is None else facts.into(pairs)
    with ExitStack() as stack:
        staging = None if options.output is None else stack.enter_context(staged(options.output, RESULTS, FILES))
        tallies = _judged(pairs, plan, options, staging)
        clustered = any(tally.clustered for tally in tallies.values())
        signature = signature_of(plan, options, options.cluster or (CLUSTER if clustered else None))
        systems = tuple(_system(name, tally, plan, options.resampling) for name, tally in tallies.items())
        told = () if facts is None else tuple(facts.warnings(plan.ontology.content_hash))
        result = TumorResult(signature, systems, told)
        if staging is not None:
            path = staging.path(RESULTS)
            with writing(path):
                path.write_text(json_page(document(result)), encoding="utf-8", newline="\n")
    return result


def _nowhere(_row: Row) -> None:
    """Where rows go that nobody asked for."""


@dataclass(slots=True)
class TumorTally(Listing):
    """The reports of one system so far; `rows` are the counts of the scored ones."""

    rows: list[ByOrgan] = field(default_factory=list)


def _judged(
    pairs: Iterable[Pair], plan: TumorPlan, options: TumorOptions, staging: Staging | None
) -> dict[str | None, TumorTally]:
    tallies: dict[str | None, TumorTally] = {}
    with ExitStack() as stack:
        add: Callable[[Row], None] = _nowhere
        if staging is not None:
            add = stack.enter_context(closing(CsvTable(staging.path(ROWS), REPORTS))).add
        outcomes = stack.enter_context(closing(mapped(pairs, partial(judging, plan), options.workers)))
        for done, outcome in enumerate(outcomes, 1):
            tally = tallies.setdefault(outcome.system, TumorTally())
            if tally.take(outcome):
                tally.rows.append(outcome.counts)
            for row in outcome.rows:
                add(row)
            options.progress(done)
    return tallies


def _system(name: str | None, tally: TumorTally, plan: TumorPlan, resampling: Resampling) -> TumorSystem:
    table = metrics(plan.counting.over)
    organs = sorted({organ for row in tally.rows for organ in row})
    clusters = tally.clusters if tally.clustered else None
    found = intervals(tally.rows, organs, table, resampling, clusters)
    summed = {organ: total(row[organ] for row in tally.rows if organ in row) for organ in organs}
    scopes = {organ: Scope(score(counts, table), found[organ], counts) for organ, counts in summed.items()}
    pooled = total(summed.values())
    return TumorSystem(
        system=name,
        scored=len(tally.ids),
        organs=scopes,
        mean=Scope(mean([scope.scores for scope in scopes.values()], table), found["mean"]),
        pooled=Scope(score(pooled, table), found["pooled"], pooled),
        unscored=tuple(tally.unscored),
        silent=tuple(tally.silent),
        warnings=tuple(left_out(tally.unscored, tally.silent, "never right")),
    )
