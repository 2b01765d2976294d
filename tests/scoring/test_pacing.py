"""The garbage collector's pace during runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

import cabs
from cabs.scoring.pacing import YOUNG, paced


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[tuple[int, ...]]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield before
    gc.set_threshold(*before)


def test_collections_are_rarer_inside_and_as_before_afterwards() -> None:
    with paced():
        assert gc.get_threshold() == (YOUNG, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_the_last_of_several_gives_the_pace_back() -> None:
    first, second = paced(), paced()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] == YOUNG
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("own", [(0, 10, 10), (2 * YOUNG, 5, 5)])
def test_a_collector_that_is_off_or_slower_stays_so(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    with paced():
        assert gc.get_threshold() == own


def test_an_error_in_a_run_gives_the_pace_back() -> None:
    with pytest.raises(cabs.InputError):
        cabs.score([])
    assert gc.get_threshold() == (700, 10, 10)
