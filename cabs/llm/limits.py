"""How fast questions may go out: requests and tokens per minute, and a pause that a server asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

BURST = 10.0
"""Seconds' worth of a limit that may go out at once."""

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Bucket:
    """So much a minute, a little of it at once. What is taken in advance may be more or less than what is used in the
    end: `settle` makes up for it. A limit of 0 is none."""

    def __init__(self, per_minute: float, clock: Clock) -> None:
        self.rate, self._clock = per_minute / 60.0, clock
        self.room = max(self.rate * BURST, 1.0)
        self.left, self.at = self.room, clock()

    def wait(self, amount: float) -> float:
        """Take the amount; the seconds to wait before it may be used, 0 for none."""
        if not self.rate:
            return 0.0
        now = self._clock()
        self.left = min(self.room, self.left + (now - self.at) * self.rate)
        self.at = now
        self.left -= amount
        return max(0.0, -self.left / self.rate)

    def settle(self, taken: float, used: float) -> None:
        """What was taken turned out to be so much."""
        self.left += taken - used


class Limiter:
    """Lets questions go one after another as the limits allow. For one event loop."""

    def __init__(self, requests: int, tokens: int, clock: Clock, sleep: Sleep = asyncio.sleep) -> None:
        self._requests, self._tokens = Bucket(requests, clock), Bucket(tokens, clock)
        self._clock, self._sleep = clock, sleep
        self._held = 0.0

    async def turn(self, tokens: int) -> None:
        """Wait until a question of about so many tokens may go out."""
        wait = max(self._requests.wait(1), self._tokens.wait(tokens))
        if wait:
            await self._sleep(wait)
        while (more := self._held - self._clock()) > 0:
            await self._sleep(more)

    def settle(self, taken: int, used: int) -> None:
        """A question that was taken for so many tokens used so many."""
        self._tokens.settle(taken, used)

    def hold(self, seconds: float) -> None:
        """Let nothing go out for so long: the server has said that it would refuse it."""
        self._held = max(self._held, self._clock() + seconds)
