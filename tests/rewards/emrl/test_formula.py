"""The formula of E-MRL with numbers worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import SettingError
from cabs.rewards.emrl.formula import Emrl
from cabs.scoring.tasks.tumor.slices import UNSTATED, Slice

SHARE = st.floats(0, 1)


@pytest.mark.parametrize(
    ("similarities", "expected"),
    [
        ((1.0, 1.0, 1.0), 1.0),
        ((1.0, 0.5, 0.0), 0.5),
        ((1.0, 0.5, None), 0.75),
        ((None, 0.5, None), 0.5),
        ((None, None, None), 0.0),
    ],
)
def test_attributes_share_the_weights_of_those_that_apply(
    similarities: tuple[float | None, ...], expected: float
) -> None:
    assert Emrl().attributes(dict(zip(("size", "location", "enhancement"), similarities, strict=True))) == expected


def test_attributes_by_weight() -> None:
    formula = Emrl(w_size=2, w_enhancement=0)
    assert formula.attributes({"size": 1.0, "location": 0.5, "enhancement": 0.0}) == pytest.approx(2.5 / 3)
    assert formula.attributes({"size": None, "location": None, "enhancement": 1.0}) == 0.0


@pytest.mark.parametrize(
    ("reference", "predicted", "present", "expected"),
    [
        (Slice(10), Slice(10), True, 0.0),
        (Slice(10), Slice(11), True, 0.5),
        (Slice(10), Slice(8), True, 0.8),
        (Slice(10), Slice(13), True, 1.0),
        (Slice(10), UNSTATED, True, 1.0),
        (Slice(10), Slice(reason="bad"), True, 1.0),
        (UNSTATED, Slice(10), True, 0.0),
        (UNSTATED, UNSTATED, False, 0.0),
        (UNSTATED, Slice(10), False, 1.0),
        (Slice(10), Slice(10), False, 1.0),
        (UNSTATED, Slice(reason="bad"), False, 1.0),
    ],
)
def test_slices(reference: Slice, predicted: Slice, present: bool, expected: float) -> None:
    assert Emrl().slice_distance(reference, predicted, present) == pytest.approx(expected, abs=1e-12)


def test_a_missing_slice_costs_what_the_option_says() -> None:
    assert Emrl(no_slice=0.25).slice_distance(Slice(1), UNSTATED, True) == 0.25


@pytest.mark.parametrize(
    ("existence", "findings", "local", "apart", "expected"),
    [
        (1.0, 1.0, 1.0, 0.0, 1.0),
        (1.0, 1.0, 1.0, 1.0, 0.94),
        (0.0, 0.0, 0.0, 1.0, -0.06),
        (1.0, 0.5, 0.25, 0.5, 0.3 + 0.25 + 0.2 * (0.25 - 0.15)),
        (1.0, 0.5, None, 0.8, 0.3 + 0.25 + 0.2 * (0.55 / 0.8 - 0.24)),
    ],
)
def test_golden_values(existence: float, findings: float, local: float | None, apart: float, expected: float) -> None:
    formula = Emrl()
    consistency = formula.consistency(local, existence, findings, apart)
    assert formula.value(existence, findings, consistency) == pytest.approx(expected, abs=1e-12)


def test_without_a_local_description_as_the_option_says() -> None:
    assert Emrl(no_local="zero").consistency(None, 1.0, 1.0, 0.0) == 0.0
    assert Emrl(w_existence=0, w_findings=0).consistency(None, 1.0, 1.0, 0.0) == 0.0


@given(SHARE, SHARE, SHARE | st.none(), SHARE)
def test_values_stay_in_the_declared_range(e: float, f: float, local: float | None, apart: float) -> None:
    formula = Emrl()
    low, high = formula.range
    assert low is not None
    assert high is not None
    assert low - 1e-12 <= formula.value(e, f, formula.consistency(local, e, f, apart)) <= high + 1e-12
    assert (low, high) == (pytest.approx(-0.06), pytest.approx(1.0))


@pytest.mark.parametrize(
    "options",
    [
        {"w_existence": -0.1}, {"w_findings": float("nan")}, {"slice_penalty": float("inf")}, {"absent": 1.1},
        {"no_slice": -1}, {"no_local": "guess"}, {"w_size": 0, "w_location": 0, "w_enhancement": 0},
    ],
)  # fmt: skip
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        Emrl(**options)  # type: ignore[arg-type]
