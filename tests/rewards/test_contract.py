"""Every reward of reports keeps the contract that `cabs.testing` states; the checks notice one that doesn't."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cabs.errors import CabsError
from cabs.rewards import Example, Reward, RewardResult, reward
from cabs.testing import REWARD_CHECKS, check_reward

REPORTS = [
    "tif", "tif_paper", "tif_no_running_cost", "tif_no_control_effort", "tif:alpha=0.4,gamma=1", "tif:form=headings",
    "cabs_f1", "fc_f1", "cabs_score", "rouge_l", "bleu_4", "chrf",
]  # fmt: skip


@pytest.mark.parametrize("check", REWARD_CHECKS)
@pytest.mark.parametrize("name", REPORTS)
def test_rewards_of_reports(name: str, check: Callable[[Reward], None]) -> None:
    check(reward(name))


def made(score: Callable[[Example], RewardResult]) -> Reward:
    def work(examples: Sequence[Example]) -> list[RewardResult]:
        return [score(example) for example in examples]

    return Reward(name="mine", label="mine", range=(0.0, 1.0), components=("a",), work=work)


def result(value: float | None = 0.5, **changes: Any) -> RewardResult:
    return RewardResult(value, changes.pop("components", {"a": 1.0}), **changes)


def chance(example: Example) -> RewardResult:
    return result(random.random())


def raising(example: Example) -> RewardResult:
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (chance, "a second call gives the same"),
        (raising, "by zero"),
        (lambda e: result(2.0), "a value of 2.0 is outside 0.0 to 1.0"),
        (lambda e: result(float("nan")), "finite numbers under a"),
        (lambda e: result(components={"b": 1.0}), "finite numbers under a"),
        (lambda e: result(None), "the first example has a value"),
        (lambda e: result(status="truncated"), "what is not ok says why"),
    ],
)
def test_the_checks_notice(score: Callable[[Example], RewardResult], said: str) -> None:
    with pytest.raises((AssertionError, CabsError, ZeroDivisionError), match=said):
        check_reward(made(score))


def test_a_work_that_raises_ends_no_training() -> None:
    found = made(raising).score_batch([Example("a", "b")])
    assert [(r.value, r.status, r.reason) for r in found] == [(None, "error", "ZeroDivisionError: by zero")]


def test_a_result_too_few_is_refused() -> None:
    short = Reward(name="mine", label="mine", range=(0.0, 1.0), components=("a",), work=lambda examples: [])
    with pytest.raises(CabsError, match="0 results for 1 examples"):
        short.score_batch([Example("a", "b")])
