"""Scorers that are given the same pairs in this process: CABS with nothing known, CABS with all texts known, and peers.

rouge-score 0.1.2 and rouge-score-rs with their defaults (no stemmer), ROUGE-L; sacrebleu's BLEU of each sentence with
effective order. All of them give one value a pair; `cabs.score` gives its intervals and error table besides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cabs
from benchmarks.corpora import TextPair
from cabs.parsing.parser import parser_of

Scorer = Callable[[Sequence[TextPair]], object]
Prepared = Callable[[Sequence[TextPair]], Scorer]
"""Makes a scorer ready, which is not timed. It is given the pairs that will be scored."""


def fresh() -> None:
    """Forget the parser with all that it has read, and make a new one."""
    parser_of.cache_clear()
    parser_of(cabs.load_ontology())


def _score(pairs: Sequence[TextPair]) -> object:
    return cabs.score(pairs, workers=1)


def cold(_: Sequence[TextPair]) -> Scorer:
    """CABS, to which no report is known."""
    fresh()
    return _score


def warm(pairs: Sequence[TextPair]) -> Scorer:
    """CABS, which has scored these very pairs before."""
    fresh()
    _score(pairs)
    return _score


def rouge_l(_: Sequence[TextPair]) -> Scorer:
    """rouge-score."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"])
    return lambda pairs: [scorer.score(a, b) for a, b in pairs]


def rouge_l_rs(_: Sequence[TextPair]) -> Scorer:
    """rouge-score-rs, the same in Rust."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    make: Any = RougeScorer  # it carries no types
    scorer = make(["rougeL"])
    return lambda pairs: [scorer.score(a, b) for a, b in pairs]


def bleu(_: Sequence[TextPair]) -> Scorer:
    """sacrebleu."""
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(effective_order=True)
    return lambda pairs: [scorer.sentence_score(b, [a]) for a, b in pairs]


SCORERS: Mapping[str, Prepared] = {
    "cabs": cold,
    "cabs_warm": warm,
    "rouge_l": rouge_l,
    "rouge_l_rs": rouge_l_rs,
    "bleu": bleu,
}
