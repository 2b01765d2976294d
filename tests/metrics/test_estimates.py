"""Shares and kappas over reports, with intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.metrics.estimates import Kappa, Share, cell, estimates
from cabs.metrics.intervals import Resampling

QUICK = Resampling(n=200)
PREFIX = "x:"


def kappa(table: dict[tuple[str, str], int]) -> float | None:
    statistic = Kappa(PREFIX, tuple(sorted({c for pair in table for c in pair})))
    row = {cell(PREFIX, *pair): n for pair, n in table.items()}
    return estimates([row], {"k": statistic}, QUICK)["k"].value


def test_kappa_of_a_textbook() -> None:
    table = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    assert kappa(table) == pytest.approx(0.4)


def test_kappa_of_three_categories_by_hand() -> None:
    table = {("a", "a"): 3, ("b", "b"): 2, ("c", "c"): 1, ("a", "b"): 2, ("c", "a"): 2}
    observed, expected = 6 / 10, (5 * 5 + 2 * 4 + 3 * 1) / 100
    assert kappa(table) == pytest.approx((observed - expected) / (1 - expected))


tables = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), st.integers(1, 9), min_size=1, max_size=9
)


@given(tables)
def test_kappa_is_symmetric_and_bounded(table: dict[tuple[str, str], int]) -> None:
    value = kappa(table)
    assert value == kappa({(b, a): n for (a, b), n in table.items()})
    assert (value is None) == (len({c for pair in table for c in pair}) == 1)
    assert value is None or -1 <= value <= 1
    if value is not None:
        assert (value == 1) == all(a == b for a, b in table)


def test_what_is_undefined_says_why() -> None:
    found = estimates([{"n": 0}], {"share": Share("p", ("n",), empty="no facts"), "k": Kappa(PREFIX, ("a",))}, QUICK)
    assert (found["share"].value, found["share"].reason) == (None, "no facts")
    assert (found["k"].value, found["k"].reason) == (None, "there is nothing to compare")
    same = estimates([{cell(PREFIX, "a", "a"): 4}], {"k": Kappa(PREFIX, ("a",))}, QUICK)["k"]
    assert (same.value, same.n, same.reason) == (None, 4, "both always say the same one thing")


def test_intervals_hold_the_value_and_go_by_the_seed() -> None:
    rows = [{"p": i % 3, "n": 3} for i in range(40)]
    share = {"s": Share("p", ("n",))}
    first, again = (estimates(rows, share, QUICK)["s"] for _ in range(2))
    assert first == again
    assert first.interval is not None
    assert first.interval.low < first.value < first.interval.high  # type: ignore[operator]
    other = estimates(rows, share, Resampling(n=200, seed=1))["s"].interval
    assert other is not None
    assert other.low != first.interval.low
    assert estimates(rows, share, Resampling(n=0))["s"].interval is None


def test_at_the_ends_wilson_tells_what_draws_cannot() -> None:
    rows = [{"p": 3, "n": 3}] * 10
    found = estimates(rows, {"s": Share("p", ("n",))}, QUICK, wilson=True)["s"].interval
    assert found is not None
    assert (found.method, found.high, found.contributing) == ("wilson", 1.0, 10)
    assert found.low == pytest.approx(10 / (10 + 1.959964**2), abs=1e-6)
    plain = estimates(rows, {"s": Share("p", ("n",))}, QUICK)["s"].interval
    assert plain is not None
    assert (plain.low, plain.fallback) == (1.0, "the value is 1")
