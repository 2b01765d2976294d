"""The plain function: finite numbers, one a completion, under one policy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError, SettingError
from cabs.rewards.adapters.generic import RewardFunction
from tests.rewards.adapters.reports import BROKEN, FIELDS, HALF, ODD, REFERENCE, UNBOUNDED, WRONG, as_json

TIF = RewardFunction("tif", fallback=0.3)


def test_one_finite_number_a_completion() -> None:
    found = TIF(ODD, [REFERENCE] * len(ODD))
    assert len(found) == len(ODD)
    assert all(type(value) is float and math.isfinite(value) for value in found)
    assert TIF([], []) == []


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([REFERENCE, HALF, as_json()]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["role", "content", "report", "facts"]), inner)
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(ANYTHING, ANYTHING), max_size=4))
def test_whatever_comes_in(pairs) -> None:
    completions, references = [c for c, _ in pairs], [r for _, r in pairs]
    results = TIF.results(completions, references)
    assert [TIF.value(result) for result in results] == TIF(completions, references)
    for result in results:
        row = TIF.row(result)
        assert list(row) == list(TIF.row(TIF.results([None], [None])[0]))
        assert all(type(value) is float and math.isfinite(value) for value in row.values())
        assert 0.0 <= row["score"] <= 1.0
        assert (row["cabs_unscored"] == 1.0) == (result.value is None)


def test_a_batch_is_its_samples() -> None:
    pairs = [(one, REFERENCE) for one in ODD] + [(HALF, None), (HALF, ""), (WRONG, HALF)]
    together = TIF([c for c, _ in pairs], [r for _, r in pairs])
    assert together == [TIF([c], [r])[0] for c, r in pairs]


@pytest.mark.parametrize("broken", BROKEN.values(), ids=list(BROKEN))
def test_a_reward_that_breaks_gives_the_fallback(broken) -> None:
    function = RewardFunction(broken, fallback=0.25)
    results = function.results([HALF, HALF], [REFERENCE, REFERENCE])
    assert [function.value(result) for result in results] == [0.25, 0.25]
    assert function.row(results[0]) == {
        "score": 0.25,
        "cabs_part": 0.0,
        "cabs_unscored": 1.0,
        "cabs_unscorable": 0.0,
        "cabs_truncated": 0.0,
        "cabs_error": 1.0,
    }


def test_without_a_least_value_there_has_to_be_a_fallback() -> None:
    with pytest.raises(SettingError, match="has no least value"):
        RewardFunction(UNBOUNDED)
    assert RewardFunction(UNBOUNDED, fallback=-2)([HALF], [HALF]) == [-2.0]
    with pytest.raises(SettingError, match="0 is not the least value"):
        RewardFunction(UNBOUNDED, fallback=-2, truncated="zero")


VERDICT = {"hit": True, "location_match": True, "attribute_match": True}


def test_the_verdicts_of_another_judge() -> None:
    good = {"findings": {"abnormalities": [VERDICT], "false_positive": []}}
    quoted = {"findings": {"abnormalities": [{**VERDICT, "hit": "false"}], "false_positive": []}}
    counted = {"findings": {"abnormalities": [VERDICT], "false_positive": "none"}}
    given = [good, quoted, counted, {}, "no JSON", None]
    results = TIF.results([HALF] * 6, [REFERENCE] * 6, judgements=given)
    assert [result.status for result in results] == ["ok", "error", "error", "error", "error", "ok"]
    assert [TIF.value(result) for result in results[:5]] == [1.0, 0.3, 0.3, 0.3, 0.3]


@pytest.mark.parametrize(("truncated", "expected"), [("score", 1.0), ("none", 0.3), ("zero", 0.0)])
def test_a_cut_answer_by_each_policy(truncated, expected) -> None:
    function = RewardFunction("tif", fallback=0.3, truncated=truncated)
    found = function([REFERENCE] * 3, [REFERENCE] * 3, truncated=np.array([True, False, False]))
    assert found == [expected, 1.0, 1.0]
    assert function.results([REFERENCE], [REFERENCE], truncated=[True])[0].status == "truncated"


@pytest.mark.parametrize(
    ("references", "more"),
    [([HALF], {}), (None, {}), (HALF, {}), ([HALF, HALF], {"truncated": [True]}), ([HALF, HALF], {"judgements": "x"})],
)
def test_lists_of_another_length_are_the_callers_mistake(references, more) -> None:
    with pytest.raises(InputError):
        TIF([HALF, HALF], references, **more)


def test_other_columns_reach_the_reward() -> None:
    found = RewardFunction(FIELDS)(
        [HALF, HALF], [HALF, HALF], weight=np.array([0.25, 0.75]), one="text", trainer=object()
    )
    assert found == [0.25, 0.75]
    assert RewardFunction(FIELDS)([HALF], [HALF]) == [0.0], "the column is missing: no value"


def test_the_prompt_of_a_query_is_no_answer() -> None:
    query = f"<|im_start|>user\n{REFERENCE}<|im_end|>\n<|im_start|>assistant\n{WRONG}<|im_end|>"
    assert RewardFunction("tif", query=True)([query], [REFERENCE])[0] < 0.2
    assert RewardFunction("tif", query=True, gamma=0).__name__ == "cabs_tif.gamma-0.query-True"
    assert RewardFunction("tif", fallback=0.3).__name__ == "cabs_tif.fallback-0.3"
