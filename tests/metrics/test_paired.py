"""The paired test: it finds what is there, and seldom what isn't."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cabs.errors import SettingError
from cabs.metrics import Counts, metrics, resample
from cabs.metrics.paired import PairedTest, paired_tests

TABLE = {name: metrics()[name] for name in ("f1", "precision", "recall", "normal_specificity", "cabs_score")}


def row(facts: int, hits: int, extra: int) -> Counts:
    return Counts(reports=1, with_facts=int(facts > 0), facts=facts, hits=hits, extra=extra, cabs_facts=hits * 10**8)


def system(generator: np.random.Generator, facts: np.ndarray, recall: float, extra: float) -> list[Counts]:
    hits, wrong = generator.binomial(facts, recall), generator.poisson(extra * facts)
    return [row(int(k), int(h), int(f)) for k, h, f in zip(facts, hits, wrong, strict=True)]


def test_the_same_system_twice_is_no_difference() -> None:
    rows = system(np.random.default_rng(0), np.full(50, 4), 0.5, 0.3)
    found = paired_tests(rows, rows, TABLE, trials=200)["f1"]
    assert (found.difference, found.p) == (0, 1)


def test_a_clear_difference_is_found() -> None:
    generator = np.random.default_rng(1)
    facts = generator.poisson(4, 100)
    found = paired_tests(system(generator, facts, 0.8, 0.2), system(generator, facts, 0.4, 0.2), TABLE, trials=500)
    assert found["f1"].p == pytest.approx(1 / 501)
    assert found["f1"].difference == pytest.approx((found["f1"].a or 0) - (found["f1"].b or 0))
    assert found["recall"].p == pytest.approx(1 / 501)
    assert found["normal_specificity"] == PairedTest("normal_specificity", None, None, None, None, None, 500, 100)


def test_the_p_value_is_that_of_all_swaps() -> None:
    """Eight reports: every one of the 256 swaps, worked out from the definition."""
    generator = np.random.default_rng(2)
    a, b = (system(generator, np.full(8, 3), share, 0.5) for share in (0.7, 0.4))

    def studentised(first: list[Counts], second: list[Counts]) -> float:
        values, parts = [], []
        for rows in (first, second):
            top = np.array([2 * r.hits for r in rows])
            bottom = np.array([r.facts + r.hits + r.extra for r in rows])
            values.append(top.sum() / bottom.sum())
            parts.append((top - values[-1] * bottom) / bottom.sum())
        difference, se = values[0] - values[1], np.sqrt(((parts[0] - parts[1]) ** 2).sum())
        return abs(difference) / se

    observed = studentised(a, b)
    swaps = [
        studentised(
            [y if s else x for x, y, s in zip(a, b, swap, strict=True)],
            [x if s else y for x, y, s in zip(a, b, swap, strict=True)],
        )
        for swap in product((0, 1), repeat=8)
    ]
    exact = np.mean([t >= observed - 1e-9 for t in swaps])
    found = paired_tests(a, b, TABLE, trials=20_000)["f1"]
    assert found.p == pytest.approx(exact, abs=0.012)


def test_size_where_f1_is_equal_and_precision_and_recall_are_opposite() -> None:
    """The null hypothesis of equal F1 is rejected about as often as 0.05 says."""
    generator = np.random.default_rng(7)
    rejected = 0
    for seed in range(200):
        facts = generator.poisson(4, 80)
        # F1 = 2r/(1+r+x): r = .4, x = .2 and r = .6, x = .8 give .5 each
        a, b = system(generator, facts, 0.4, 0.2), system(generator, facts, 0.6, 0.8)
        p = paired_tests(a, b, {"f1": TABLE["f1"]}, trials=300, seed=seed)["f1"].p
        rejected += p is not None and p <= 0.05
    assert 2 <= rejected <= 20


def test_clusters_move_together_and_lengths_must_fit() -> None:
    generator = np.random.default_rng(4)
    facts = np.full(40, 3)
    a, b = system(generator, facts, 0.6, 0.3), system(generator, facts, 0.5, 0.3)
    alone = paired_tests(a, b, TABLE, trials=300)["f1"]
    patients = [str(i // 4) for i in range(40)]
    together = paired_tests(a, b, TABLE, trials=300, clusters=patients)["f1"]
    assert (alone.units, together.units) == (40, 10)
    assert alone.difference == pytest.approx(together.difference)
    with pytest.raises(SettingError, match="40 and 39"):
        paired_tests(a, b[:-1], TABLE)
    with pytest.raises(SettingError):
        paired_tests(a, b, TABLE, trials=0)


def test_the_seed_decides_and_the_block_size_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    facts = np.full(30, 3)
    a, b = system(generator, facts, 0.6, 0.3), system(generator, facts, 0.5, 0.3)
    whole = paired_tests(a, b, TABLE, trials=400, seed=9)
    monkeypatch.setattr(resample, "BLOCK", 100)
    assert paired_tests(a, b, TABLE, trials=400, seed=9) == whole
    assert paired_tests([], [], TABLE)["f1"].p is None
