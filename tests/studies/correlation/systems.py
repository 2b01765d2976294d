"""Five systems on the shipped example: its own two, a mixture, one that is late by a report, one that says little."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import cabs
from cabs.metrics.intervals import Resampling
from cabs.studies.correlation import Correlation, correlation
from cabs.studies.correlation.choice import choose
from cabs.studies.correlation.run import Design
from cabs.studies.correlation.runs import Runs, runs_of
from cabs.values import Pair

DEMO = Path(cabs.__file__).parent / "_demo" / "pairs.jsonl"
METRICS = ("bleu_1", "chrf", "rouge_l", "f1", "fc_f1", "cabs_score", "critical_invented_per_100")
"""The last one is better where it is lower."""


def demo() -> dict[str, list[Pair]]:
    """The pairs by system."""
    rows = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    own = {name: [row for row in rows if row["system"] == name] for name in ("careful", "fluent")}
    references = [row["reference"] for row in own["careful"]]
    said = {
        **{name: [row["prediction"] for row in found] for name, found in own.items()},
        "late": [own["careful"][at - 1]["prediction"] for at in range(len(references))],
        "mixed": [own["careful" if at % 2 else "fluent"][at]["prediction"] for at in range(len(references))],
        "short": [reference[: len(reference) // 3] for reference in references],
    }
    ids = [row["id"] for row in own["careful"]]
    return {
        name: [Pair(id, reference, text, name) for id, reference, text in zip(ids, references, texts, strict=True)]
        for name, texts in said.items()
    }


def runs(systems: Iterable[str] | None = None) -> Runs:
    """The runs of some of these systems, or all."""
    found = demo()
    return runs_of({name: found[name] for name in systems or found})


def studied(given: Runs, metrics: Iterable[str] = METRICS, draws: int = 40, **design: object) -> Correlation:
    """The study of runs."""
    ontology = cabs.load_ontology()
    chosen = choose(ontology, list(metrics))
    made = Design(resampling=Resampling(n=draws, seed=3), **design)  # type: ignore[arg-type]
    return correlation(given, chosen.metrics, ontology, design=made)
