"""Values of pairs and corpus values of any resampling, from added statistics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import CabsError
from cabs.metrics.measured import Measured, means, ratios

VALUE = st.one_of(st.just(float("nan")), st.floats(0, 1))
ROWS = st.lists(st.tuples(VALUE, st.integers(0, 3)), min_size=1, max_size=8)
COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=8)


@given(rows=ROWS)
def test_a_mean_is_over_what_is_defined(rows: list[tuple[float, int]]) -> None:
    values, draws = np.array([v for v, _ in rows]), [n for _, n in rows]
    drawn = np.repeat(values, draws)
    defined = drawn[~np.isnan(drawn)]
    expected = defined.mean() if len(defined) else np.nan
    np.testing.assert_allclose(means(values).corpus(draws), [expected], atol=1e-12)


@given(rows=COUNTS)
def test_a_ratio_is_of_sums_and_not_a_mean_of_ratios(rows: list[tuple[int, int, int]]) -> None:
    tops, bottoms, draws = map(np.array, zip(*rows, strict=True))
    found = ratios(tops, bottoms, scale=100)
    bottom = (bottoms * draws).sum()
    expected = 100 * (tops * draws).sum() / bottom if bottom else np.nan
    np.testing.assert_allclose(found.corpus(draws), [expected], atol=1e-9)
    np.testing.assert_array_equal(np.isnan(found.values), bottoms == 0)


def test_many_draws_at_once_are_each_alone() -> None:
    found = ratios([1, 0, 3], [2, 0, 4])
    draws = np.array([[1, 1, 1], [2, 0, 1], [0, 1, 0]])
    np.testing.assert_array_equal(found.corpus(draws), [found.corpus(row)[0] for row in draws])
    assert found.value == 4 / 6


def test_nothing_is_undefined() -> None:
    found = Measured(np.ones(2), np.ones((2, 1)), lambda sums: sums[:, 0])
    assert np.isnan(found.corpus([[0, 0]])).all()
    assert found.take([]).value is None
    assert means([]).value is None


def test_some_of_the_pairs_in_another_order() -> None:
    found = means([0.0, 0.5, 1.0])
    assert found.take([2, 0, 2]).values.tolist() == [1.0, 0.0, 1.0]
    assert found.take(np.array([False, True, True])).value == 0.75


@pytest.mark.parametrize(
    ("values", "statistics"),
    [
        (np.ones(2), np.ones((3, 1))),
        (np.ones(2), np.ones(2)),
        (np.array([np.inf, 1]), np.ones((2, 1))),
        (np.ones(2), np.array([[np.nan], [1]])),
    ],
)
def test_what_does_not_fit_is_refused(values: np.ndarray, statistics: np.ndarray) -> None:
    with pytest.raises(CabsError):
        Measured(values, statistics, lambda sums: sums[:, 0])
