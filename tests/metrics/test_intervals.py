"""Bootstrap intervals against known cases."""

from __future__ import annotations

import numpy as np
import pytest

from cabs.errors import SettingError
from cabs.metrics import Counts, metrics, resample
from cabs.metrics.intervals import Interval, Resampling, intervals

F1 = {name: metrics()[name] for name in ("f1", "recall", "precision", "normal_specificity")}


def rows(successes: int, trials: int) -> list[Counts]:
    """A share: one fact per report, hit or missed."""
    return [Counts(reports=1, facts=1, hits=int(i < successes)) for i in range(trials)]


def recall(data: list[Counts], **settings: object) -> Interval:
    found = intervals(data, F1, Resampling(**settings))["recall"]  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_share_has_about_its_binomial_interval() -> None:
    found = recall(rows(60, 200), n=5000)
    # Wilson score interval of 60 of 200
    assert (found.low, found.high) == pytest.approx((0.2408, 0.3668), abs=0.01)
    assert (found.method, found.fallback, found.few, found.contributing) == ("bca", "", False, 200)


def test_bca_by_the_textbook() -> None:
    """The formulas of Efron & Tibshirani (1993, chapter 14), worked out anew from the same draws."""
    generator = np.random.default_rng(3)
    data = [Counts(reports=1, facts=int(k), hits=int(min(k, h))) for k, h in generator.poisson((3, 1), (40, 2))]
    found = recall(data, n=4000, seed=5)
    hits, facts = (np.array([getattr(row, name) for row in data]) for name in ("hits", "facts"))
    drawn = np.random.default_rng(5).integers(0, 40, (4000, 40))
    boot = hits[drawn].sum(axis=1) / facts[drawn].sum(axis=1)
    value = hits.sum() / facts.sum()
    from scipy.stats import norm

    bias = norm.ppf((np.sum(boot < value) + np.sum(boot == value) / 2) / 4000)
    jack = (hits.sum() - hits) / (facts.sum() - facts)
    acceleration = np.sum((jack.mean() - jack) ** 3) / (6 * np.sum((jack.mean() - jack) ** 2) ** 1.5)
    levels = [norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in norm.ppf([0.025, 0.975])]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(boot, levels)), abs=1e-9)


def test_percentile_is_an_option_and_the_flagged_way_out_at_0_and_1() -> None:
    assert recall(rows(60, 200), method="percentile").method == "percentile"
    for successes in (0, 50):
        found = recall(rows(successes, 50))
        assert (found.method, found.low, found.high) == ("percentile", successes / 50, successes / 50)
        assert found.fallback == f"the value is {successes / 50:g}"


def test_few_reports_are_flagged() -> None:
    assert recall(rows(3, 29)).few
    assert not recall(rows(3, 30)).few
    silent = [Counts(reports=1) for _ in range(100)]
    assert recall([*rows(3, 20), *silent]).contributing == 20


def test_undefined_metrics_have_no_interval() -> None:
    found = intervals(rows(5, 40), F1)
    assert found["normal_specificity"] is None
    assert found["f1"] is not None
    assert intervals([], F1) == dict.fromkeys(F1)
    assert intervals(rows(1, 1), F1) == dict.fromkeys(F1)
    assert intervals(rows(5, 40), F1, Resampling(n=0)) == dict.fromkeys(F1)


def test_undefined_draws_are_counted() -> None:
    found = recall([*rows(1, 2), *[Counts(reports=1)] * 3], n=500)
    assert 0 < found.undefined < 500


def test_clusters_are_drawn_whole() -> None:
    data = [row for row in rows(20, 60) for _ in range(5)]
    patients = [str(i // 5) for i in range(300)]
    alone, together = intervals(data, F1)["recall"], intervals(data, F1, clusters=patients)["recall"]
    assert alone is not None
    assert together is not None
    assert together.contributing == 60
    assert together.high - together.low == pytest.approx(5**0.5 * (alone.high - alone.low), rel=0.1)
    assert together == intervals(data, F1, clusters=patients)["recall"]
    with pytest.raises(SettingError, match="clusters"):
        intervals(data, F1, clusters=["a"])


def test_the_seed_decides_and_the_block_size_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    data = rows(60, 200)
    whole = intervals(data, F1)
    monkeypatch.setattr(resample, "BLOCK", 1000)
    assert intervals(data, F1) == whole
    assert intervals(data, F1, Resampling(seed=1)) != whole


def test_the_scale_reaches_the_interval() -> None:
    data = [Counts(reports=1, critical_missed=int(i < 10)) for i in range(100)]
    found = intervals(data, metrics())["critical_missed_per_100"]
    assert found is not None
    assert 4 < found.low < 10 < found.high < 18


@pytest.mark.parametrize("wrong", [{"n": -1}, {"level": 1.0}, {"level": 0}, {"method": "t"}, {"seed": -1}])
def test_settings_are_checked(wrong: dict) -> None:
    with pytest.raises(SettingError):
        Resampling(**wrong)


def test_coverage_of_a_recall_by_simulation() -> None:
    """250 reports, facts per report vary: the 95 % interval holds the truth about as often as it says."""
    generator = np.random.default_rng(11)
    covered = 0
    for seed in range(120):
        facts = generator.poisson(2, 250)
        hits = generator.binomial(facts, 0.3)
        data = [Counts(reports=1, facts=int(k), hits=int(h)) for k, h in zip(facts, hits, strict=True)]
        found = recall(data, n=400, seed=seed)
        covered += found.low <= 0.3 <= found.high
    assert 107 <= covered <= 120
