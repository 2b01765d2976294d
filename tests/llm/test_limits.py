"""Limits and waits, on a clock that only moves when someone sleeps."""

from __future__ import annotations

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.llm import retry
from cabs.llm.limits import BURST, Limiter
from cabs.llm.retry import Fault, of_status, seconds_of, wait


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def times(limiter: Limiter, clock: Clock, tokens: list[int]) -> list[float]:
    async def run() -> list[float]:
        found = []
        for amount in tokens:
            await limiter.turn(amount)
            found.append(clock.now)
        return found

    return asyncio.run(run())


@given(st.integers(1, 600), st.integers(1, 80))
def test_no_minute_has_more_requests_than_allowed(per_minute: int, n: int) -> None:
    clock = Clock()
    found = times(Limiter(per_minute, 0, clock, clock.sleep), clock, [1] * n)
    most = per_minute * (60 + BURST) / 60 + 1
    for start in found:
        assert sum(start <= at < start + 60 for at in found) <= most + 1


def test_tokens_are_counted_as_they_were_used() -> None:
    clock = Clock()
    limiter = Limiter(0, 600, clock, clock.sleep)  # 10 a second
    assert times(limiter, clock, [100, 100]) == [0.0, 10.0]
    limiter.settle(100, 400)
    assert times(limiter, clock, [100]) == [50.0]


def test_no_limit_is_no_wait() -> None:
    clock = Clock()
    assert times(Limiter(0, 0, clock, clock.sleep), clock, [10**6] * 50) == [0.0] * 50


def test_a_pause_holds_everyone() -> None:
    clock = Clock()
    limiter = Limiter(0, 0, clock, clock.sleep)
    limiter.hold(7.0)
    limiter.hold(3.0)
    assert times(limiter, clock, [1, 1]) == [7.0, 7.0]


@given(st.integers(1, 40), st.floats(0, 1, exclude_max=True))
def test_waits_grow_and_stay_bounded(attempt: int, drawn: float) -> None:
    fault = Fault("server", "", True)
    bound = min(retry.FIRST * 2 ** (attempt - 1), retry.LONGEST)
    assert bound / 2 <= wait(fault, attempt, lambda: drawn) <= bound


def test_a_server_that_says_when_is_believed() -> None:
    assert wait(Fault("rate", "", True, 20.0), 1, lambda: 0.0) >= 20.0
    assert seconds_of("99999", 0.0) == retry.ASKED
    assert seconds_of("-3", 0.0) == 0.0
    assert seconds_of("nan", 0.0) is None


@pytest.mark.parametrize(
    ("status", "kind", "again"),
    [(408, "server", True), (429, "rate", True), (500, "server", True), (529, "server", True), (400, "request", False),
     (401, "denied", False), (404, "denied", False), (413, "request", False), (307, "request", False)],
)  # fmt: skip
def test_faults_of_statuses(status: int, kind: str, again: bool) -> None:
    fault = of_status(status, "", None, 0.0)
    assert (fault.kind, fault.again) == (kind, again)
    assert math.isfinite(wait(fault, 1, lambda: 0.5))
