"""The parser stays above its marks on every shipped file of CT reports; the benchmarks find what is shipped."""

from __future__ import annotations

import pytest

from benchmarks.accuracy import GOLD, below, gold_files, measure
from benchmarks.corpora import ct_pairs, neighbours, xray_pairs

FILES = dict(gold_files([GOLD]))


def test_the_shipped_gold_is_found() -> None:
    assert {"dev_abdomen", "dev_chest", "dev_gpt4", "dev_normal"} == FILES.keys()


@pytest.mark.parametrize("name", FILES)
def test_accuracy_is_above_the_marks(name: str) -> None:
    assert below(measure(FILES[name])) == []


def test_pairs_are_neighbours() -> None:
    assert neighbours(["a", "b", "c"]) == [("a", "b"), ("b", "c"), ("c", "a")]
    assert len(ct_pairs()) == 384
    assert all(reference and prediction for reference, prediction in [*ct_pairs(), *xray_pairs()])
