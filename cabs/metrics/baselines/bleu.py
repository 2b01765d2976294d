"""BLEU-1 to BLEU-4 by sacrebleu: sentences with its effective order, the corpus from added n-gram counts.

Papineni et al. 2002; Post 2018. Values are sacrebleu's divided by 100; texts are lower-cased.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric

LARGEST = 4
"""The order that is counted; smaller ones are read off it."""


def ngrams(batch: Batch) -> Floats:
    """n × 10: words of the prediction and of the reference, n-grams of both for n = 1..4, n-grams of the prediction."""
    from sacrebleu.metrics.bleu import BLEU

    references, predictions = batch.texts()
    scorer = BLEU(lowercase=True, effective_order=True, max_ngram_order=LARGEST)
    rows = [_row(scorer.sentence_score(p, [r])) for r, p in zip(references, predictions, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2 + 2 * LARGEST)


def _row(score: object) -> list[int]:
    return [score.sys_len, score.ref_len, *score.counts, *score.totals]  # type: ignore[attr-defined]


def bleu_of(counts: Floats, order: int, *, effective: bool = False) -> Floats:
    """BLEU of rows of counts with sacrebleu's exponential smoothing, 0 to 1; 0 where nothing matches.

    `effective`: orders that the prediction is too short for are left out, as sacrebleu does for single sentences.
    """
    length, reference = counts[:, 0], counts[:, 1]
    correct, total = counts[:, 2 : 2 + order], counts[:, 2 + LARGEST : 2 + LARGEST + order]
    unmatched = np.cumsum((correct == 0) & (total > 0), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(correct > 0, correct, 0.5**unmatched) / total
        orders = (total > 0).sum(axis=1) if effective else np.full(len(counts), order)
        logs = np.where(total > 0, np.log(precision), 0.0 if effective else -np.inf).sum(axis=1) / orders
        brevity = np.where(length < reference, 1 - reference / length, 0.0)
    found = np.zeros(len(counts))
    matched = correct.any(axis=1)
    found[matched] = np.exp(logs[matched] + brevity[matched])
    return np.minimum(found, 1.0)


def measured(counts: Floats, order: int) -> Measured:
    """BLEU of this order from the counts of all."""
    return Measured(bleu_of(counts, order, effective=True), counts, partial(bleu_of, order=order))


def bleu(name: str) -> PairMetric:
    """bleu_1 to bleu_4."""
    order = int(name[-1])
    return PairMetric(
        name=name,
        label=f"BLEU-{order}",
        family="surface",
        higher=True,
        empty=ZERO,
        work=ngrams,
        measured=partial(measured, order=order),
        needs=Needs("audit", (("sacrebleu", "sacrebleu"),)),
        settings=lambda: (("case", "lc"), ("tok", "13a"), ("smooth", "exp"), ("eff", "sentences")),
    )
