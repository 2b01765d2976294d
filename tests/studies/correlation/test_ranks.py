"""Ranks and rank correlations against scipy and slow, obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata, spearmanr

from cabs.studies.correlation.ranks import LEAST, better, over_reports, over_systems, places

VALUES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, np.nan])


def slow(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman of the things that have both, by scipy; nan where it is undefined."""
    both = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[both], y[both]
    if len(x) < LEAST or len(set(x)) < 2 or len(set(y)) < 2:
        return np.nan
    return float(spearmanr(x, y).statistic)


@given(arrays(np.float64, (2, 6, 3), elements=VALUES))
def test_over_systems_is_scipys(values: np.ndarray) -> None:
    found = over_systems(values)
    for draw, a, b in np.ndindex(found.shape):
        assert found[draw, a, b] == pytest.approx(slow(values[draw, :, a], values[draw, :, b]), nan_ok=True)


@given(arrays(np.float64, (9, 3), elements=VALUES), arrays(np.int64, (2, 9), elements=st.integers(0, 3)))
def test_over_reports_is_ranking_the_drawn_reports_anew(values: np.ndarray, times: np.ndarray) -> None:
    found = over_reports(values, times.astype(np.float64))
    for draw, a, b in np.ndindex(found.shape):
        drawn = np.repeat(np.arange(len(values)), times[draw])
        x, y = values[drawn, a], values[drawn, b]
        different = len({at for at in drawn if not np.isnan(values[at, a]) and not np.isnan(values[at, b])})
        expected = slow(x, y) if different >= LEAST else np.nan
        assert found[draw, a, b] == pytest.approx(expected, nan_ok=True)


@given(arrays(np.float64, (1, 5, 2), elements=VALUES))
def test_places_of_the_systems_are_usual_ranks(values: np.ndarray) -> None:
    found = places(values, real=5)
    for metric in range(2):
        column = values[0, :, metric]
        defined = ~np.isnan(column)
        assert found[0, defined, metric].tolist() == rankdata(-column[defined]).tolist()
        assert np.isnan(found[0, ~defined, metric]).all()


def test_a_control_is_placed_between_systems_and_moves_none() -> None:
    values = np.array([[[3.0], [2.0], [1.0], [9.0], [2.0], [1.5], [0.0]]])
    assert places(values, real=3)[0, :, 0].tolist() == [1.0, 2.0, 3.0, 0.5, 2.0, 2.5, 3.5]


def test_sums_in_another_order_stay_equal() -> None:
    values = np.array([0.1 + 0.2, 0.3])
    assert values[0] != values[1]
    turned = better(values, np.array(True))
    assert turned[0] == turned[1]
    assert better(values, np.array(False)).tolist() == (-turned).tolist()
