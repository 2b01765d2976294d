"""chrF by sacrebleu's n-grams: character n-grams of 1 to 6, recall weighing twice; the corpus from added counts.

Popović 2015. Values are sacrebleu's divided by 100; texts are lower-cased.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric

ORDER = 6
BETA = 2


def ngrams(batch: Batch) -> Floats:
    """n × 18: n-grams of the prediction, of the reference, of both, for n = 1..6 in turn."""
    from sacrebleu.metrics.helpers import extract_all_char_ngrams

    def grams(text: str) -> list[Counter[str]]:
        found: list[Counter[str]] = extract_all_char_ngrams(text.lower(), ORDER, include_whitespace=False)
        return found

    rows = []
    for reference, prediction in zip(*batch.texts(), strict=True):
        pairs = zip(grams(prediction), grams(reference), strict=True)
        rows.append([count for own, theirs in pairs for count in _shared(own, theirs)])
    return np.array(rows, dtype=np.float64).reshape(len(rows), 3 * ORDER)


def _shared(own: Counter[str], theirs: Counter[str]) -> tuple[int, int, int]:
    """sacrebleu counts nothing of an order for which there is no reference."""
    both = sum(min(count, theirs[gram]) for gram, count in own.items() if gram in theirs)
    return (own.total() if theirs else 0), theirs.total(), both


def chrf_of(counts: Floats) -> Floats:
    """chrF of rows of counts, 0 to 1; 0 where nothing matches. Orders that a side is too short for are left out."""
    predicted, reference, both = (counts[:, start::3] for start in range(3))
    used = (predicted > 0) & (reference > 0)
    orders = np.maximum(used.sum(axis=1), 1)
    precision = np.divide(both, predicted, out=np.zeros_like(both), where=used).sum(axis=1) / orders
    recall = np.divide(both, reference, out=np.zeros_like(both), where=used).sum(axis=1) / orders
    bottom = BETA**2 * precision + recall
    found = np.zeros(len(counts))
    np.divide((1 + BETA**2) * precision * recall, bottom, out=found, where=bottom > 0)
    return found


def measured(counts: Floats) -> Measured:
    """chrF from its counts."""
    return Measured(chrf_of(counts), counts, chrf_of)


CHRF = PairMetric(
    name="chrf",
    label="chrF",
    family="surface",
    higher=True,
    empty=ZERO,
    work=ngrams,
    measured=measured,
    needs=Needs("audit", (("sacrebleu", "sacrebleu"),)),
    settings=lambda: (("case", "lc"), ("nc", str(ORDER)), ("nw", "0"), ("space", "no"), ("beta", str(BETA))),
)
