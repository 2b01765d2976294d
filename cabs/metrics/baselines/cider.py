"""CIDEr-D (Vedantam et al. 2015) by pycocoevalcap: tf-idf n-grams of 1 to 4, 0 to 10; the corpus is the mean.

The document frequencies are those of the references of the call, so a pair's value depends on the others: give all
pairs of a study at once, and compare values of one set of references only. A reference that comes with several systems
counts once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from cabs.errors import SettingError
from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured, means
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric

TOKENIZERS = ("words", "ptb")
WORD = re.compile(r"\w+(?:\.\d+)?")
ALONE = "CIDEr is undefined: the references are one and the same, so no word tells them apart"


@dataclass(frozen=True)
class Weighing:
    """The work of CIDEr with texts split into words ("words": lower-cased runs of letters and digits, decimals whole)
    or by the Penn Treebank tokenizer that the COCO evaluation uses ("ptb", needs Java)."""

    tokenizer: str

    def __call__(self, batch: Batch) -> Floats:
        """The value of each pair."""
        references, predictions = batch.texts()
        if len(set(references)) < 2:
            return np.full(len(batch), np.nan)
        split = self._tokens([*references, *predictions])
        studies = dict(zip(((item.id, item.reference) for item in batch.items), split, strict=False))
        return _scores(studies.values(), split[: len(references)], split[len(references) :])

    def _tokens(self, texts: list[str]) -> list[str]:
        if self.tokenizer == "words":
            return [" ".join(WORD.findall(text.lower())) for text in texts]
        from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

        lines = {at: [{"caption": " ".join(text.split())}] for at, text in enumerate(texts)}
        found: dict[int, list[str]] = PTBTokenizer().tokenize(lines)
        return [found[at][0] for at in range(len(texts))]


def _scores(studies: Iterable[str], references: list[str], predictions: list[str]) -> Floats:
    """The values of pairs of tokenized texts by the document frequencies of the studies' references."""
    from pycocoevalcap.cider.cider_scorer import CiderScorer

    known = CiderScorer()
    for reference in studies:
        known.cook_append("", [reference])
    known.compute_doc_freq()
    # The scorer takes its pairs for the documents; frequencies by pairs instead of studies make up for it.
    pairs_a_study = len(references) / len(known.crefs)
    frequency = {gram: count * pairs_a_study for gram, count in known.document_frequency.items()}
    scorer = CiderScorer()
    scorer.document_frequency = defaultdict(lambda: pairs_a_study, frequency)
    for reference, prediction in zip(references, predictions, strict=True):
        scorer.cook_append(prediction, [reference])
    return np.array(scorer.compute_cider(), dtype=np.float64)


def measured(values: Floats) -> Measured:
    """CIDEr's values; the corpus is their mean."""
    return means(values, (ALONE,) if len(values) and np.isnan(values).all() else ())


def cider(name: str, tokenizer: str = "words") -> PairMetric:
    """CIDEr; `tokenizer`: "words" or "ptb".

    Raises:
        SettingError: another tokenizer.
    """
    if tokenizer not in TOKENIZERS:
        hint = f"one of: {', '.join(TOKENIZERS)}"
        raise SettingError(f"{tokenizer!r} is no tokenizer", place="metric 'cider'", hint=hint)
    return PairMetric(
        name=name,
        label="CIDEr",
        family="surface",
        higher=True,
        empty=ZERO,
        work=Weighing(tokenizer),
        measured=measured,
        range=(0.0, 10.0),
        independent=False,
        needs=Needs("coco", (("pycocoevalcap", "pycocoevalcap"),), ("java",) if tokenizer == "ptb" else ()),
        settings=partial(tuple, (("n", "4"), ("sigma", "6"), ("tok", tokenizer), ("df", "references"))),
    )
