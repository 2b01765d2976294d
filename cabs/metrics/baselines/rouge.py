"""ROUGE-1, ROUGE-2 and ROUGE-L (F-measures) by rouge-score-rs, which equals Google's rouge-score; the corpus is the
mean.

Lin 2004. Words are runs of a-z and 0-9, lower-cased and stemmed (Porter).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from cabs.metrics.batch import Batch
from cabs.metrics.measured import Measured, means
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric

TYPES = ("rouge1", "rouge2", "rougeL")


def scores(batch: Batch) -> list[dict[str, Any]]:
    """Precision, recall and F-measure of each pair by type."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    references, predictions = batch.texts()
    make: Any = RougeScorer  # it carries no types
    found: list[dict[str, Any]] = make(list(TYPES), use_stemmer=True).score_batch(references, predictions)
    return found


def measured(scores: list[dict[str, Any]], type: str) -> Measured:
    """The F-measures of one type."""
    return means([score[type].fmeasure for score in scores])


def rouge(name: str) -> PairMetric:
    """rouge_1, rouge_2 and rouge_l."""
    type = name.replace("_", "").replace("l", "L")
    return PairMetric(
        name=name,
        label=f"ROUGE-{type[-1]}",
        family="surface",
        higher=True,
        empty=ZERO,
        work=scores,
        measured=partial(measured, type=type),
        needs=Needs("audit", (("rouge_score_rs", "rouge-score-rs"),)),
        settings=lambda: (("stemmer", "yes"), ("of", "f")),
    )
