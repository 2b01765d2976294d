"""The adapters give what their libraries give, for pairs, for corpora and for resampled corpora."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.metrics.registered import pair_metric
from cabs.testing import examples

WORDS = [
    *("no", "small", "large", "nodules", "nodule", "in", "the", "right", "left", "is", "seen", "stable", "Ünclear"),
    *(",", ".", "9", "mm", "3.5", "(x)"),
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6)
DRAWS = st.lists(st.integers(0, 3), min_size=6, max_size=6)
EXACT = {"rtol": 0, "atol": 1e-9}


def sides(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [reference for reference, _ in pairs], [prediction for _, prediction in pairs]


def drawn(pairs: list[tuple[str, str]], draws: list[int]) -> list[tuple[str, str]]:
    return [pair for pair, times in zip(pairs, draws, strict=False) for _ in range(times)]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@given(pairs=PAIRS, draws=DRAWS)
def test_bleu_is_sacrebleu_s(order: int, pairs: list[tuple[str, str]], draws: list[int]) -> None:
    from sacrebleu.metrics.bleu import BLEU

    sentence = BLEU(lowercase=True, effective_order=True, max_ngram_order=order)
    corpus = BLEU(lowercase=True, max_ngram_order=order)
    found = pair_metric(f"bleu_{order}").measure(*sides(pairs))
    np.testing.assert_allclose(found.values, [sentence.sentence_score(p, [r]).score / 100 for r, p in pairs], **EXACT)
    references, predictions = sides(pairs)
    assert found.value == pytest.approx(corpus.corpus_score(predictions, [references]).score / 100, abs=1e-9)
    again = drawn(pairs, draws)
    if again:
        references, predictions = sides(again)
        expected = corpus.corpus_score(predictions, [references]).score / 100
        assert found.corpus(draws[: len(pairs)])[0] == pytest.approx(expected, abs=1e-9)


@given(pairs=PAIRS, draws=DRAWS)
def test_chrf_is_sacrebleu_s(pairs: list[tuple[str, str]], draws: list[int]) -> None:
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(lowercase=True)
    found = pair_metric("chrf").measure(*sides(pairs))
    np.testing.assert_allclose(found.values, [scorer.sentence_score(p, [r]).score / 100 for r, p in pairs], **EXACT)
    references, predictions = sides(pairs)
    assert found.value == pytest.approx(scorer.corpus_score(predictions, [references]).score / 100, abs=1e-9)
    again = drawn(pairs, draws)
    if again:
        references, predictions = sides(again)
        expected = scorer.corpus_score(predictions, [references]).score / 100
        assert found.corpus(draws[: len(pairs)])[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("name", "type"), [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")])
@given(pairs=PAIRS)
def test_rouge_is_rouge_score_s(name: str, type: str, pairs: list[tuple[str, str]]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([type], use_stemmer=True)
    expected = [scorer.score(r, p)[type].fmeasure for r, p in pairs]
    found = pair_metric(name).measure(*sides(pairs))
    np.testing.assert_allclose(found.values, expected, **EXACT)
    assert found.value == pytest.approx(np.mean(expected), abs=1e-9)


@pytest.mark.parametrize(("name", "type"), [("rouge_1", "rouge1"), ("rouge_2", "rouge2"), ("rouge_l", "rougeL")])
def test_rouge_is_rouge_score_s_on_reports(name: str, type: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([type], use_stemmer=True)
    expected = [scorer.score(r, p)[type].fmeasure for r, p in examples()]
    np.testing.assert_allclose(pair_metric(name).measure(*sides(examples())).values, expected, **EXACT)


@given(pairs=st.lists(st.tuples(TEXT, TEXT), min_size=2, max_size=6))
def test_cider_is_pycocoevalcap_s(pairs: list[tuple[str, str]]) -> None:
    from pycocoevalcap.cider.cider import Cider

    from cabs.metrics.baselines.cider import WORD

    def tokens(side: int) -> dict[int, list[str]]:
        return {i: [" ".join(WORD.findall(pair[side].lower()))] for i, pair in enumerate(pairs)}

    found = pair_metric("cider").measure(*sides(pairs))
    if len({reference for reference, _ in pairs}) < 2:
        assert np.isnan(found.values).all()
        assert "undefined" in found.notes[0]
    elif any(words != [""] for words in tokens(0).values()):  # the library fails where no reference has a word
        mean, values = Cider().compute_score(tokens(0), tokens(1))
        np.testing.assert_allclose(found.values, values, **EXACT)
        assert found.value == pytest.approx(mean, abs=1e-9)


def test_cider_of_two_systems_is_that_of_each() -> None:
    from cabs.metrics.batch import batch_of_pairs
    from cabs.metrics.pair_metric import measure_all
    from cabs.values import Pair

    cider, shipped = pair_metric("cider"), examples()
    pairs = [Pair(str(i), r, p, "a") for i, (r, p) in enumerate(shipped)]
    others = [Pair(str(i), r, shipped[i - 1][1], "b") for i, (r, _) in enumerate(shipped)]
    both = measure_all([cider], batch_of_pairs([*pairs, *others]))["cider"].values
    apart = [measure_all([cider], batch_of_pairs(system))["cider"].values for system in (pairs, others)]
    np.testing.assert_allclose(both, np.concatenate(apart), **EXACT)
