"""Weights of tokens: sentences that state a present abnormality."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError, SettingError
from cabs.rewards.med3d import token_weights

TEXT = "The lungs are clear. A 9 mm nodule in the right upper lobe. It is spiculated. No effusion. Possible ascites."
OFFSETS = [match.span() for match in re.finditer(r"\w+|\.", TEXT)]


def test_tokens_of_abnormal_sentences_weigh_more() -> None:
    weights = token_weights(TEXT, [(0, 0), *OFFSETS, (0, 0)])
    heavy = " ".join(TEXT[s:e] for (s, e), w in zip(OFFSETS, weights[1:-1], strict=True) if w == 1.1)
    assert heavy == "A 9 mm nodule in the right upper lobe . It is spiculated . Possible ascites ."
    assert (weights[0], weights[-1]) == (1.0, 1.0)
    assert set(token_weights(TEXT, OFFSETS, 2.0)) == {1.0, 2.0}


def test_tokens_that_carry_the_space_before_them() -> None:
    at = TEXT.index(" A 9")
    assert token_weights(TEXT, [(at, at + 2), (at - 1, at)]) == [1.1, 1.0]


def test_nothing_and_normal_reports_weigh_one() -> None:
    assert token_weights("", []) == []
    assert token_weights("", [(0, 0)]) == [1.0]
    assert set(token_weights("The lungs are clear. No effusion.", [(0, 9), (10, 30)])) == {1.0}


@pytest.mark.parametrize("offset", [(-1, 2), (3, 2), (0, 999), (1,), (0, 1, 2)])
def test_spans_outside_the_text_are_named(offset: tuple[int, ...]) -> None:
    with pytest.raises(InputError) as caught:
        token_weights(TEXT, [(0, 3), offset])
    assert caught.value.place == "offsets, token 1"


@pytest.mark.parametrize("weight", [0.0, -1.0, float("inf"), float("nan")])
def test_weights_are_more_than_nothing(weight: float) -> None:
    with pytest.raises(SettingError):
        token_weights(TEXT, OFFSETS, weight)


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted), max_size=20))
def test_one_weight_a_token_and_a_wider_token_never_weighs_less(offsets: list[list[int]]) -> None:
    weights = token_weights(TEXT, offsets)
    assert len(weights) == len(offsets)
    assert set(weights) <= {1.0, 1.1}
    wider = token_weights(TEXT, [(max(0, s - 5), min(len(TEXT), e + 5)) for s, e in offsets])
    assert all(a <= b for a, b in zip(weights, wider, strict=True))
