"""Work of a coroutine in threads, a few at a time: the trainer's event loop stays free, and so does the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from cabs.errors import SettingError

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Turns:
    """At most `most` calls at a time in each event loop. Picklable: what waits belongs to the loop.

    Raises `SettingError` for fewer than one.
    """

    def __init__(self, most: int) -> None:
        if most < 1:
            raise SettingError(f"{most} is no number of threads", place="concurrency", hint="1 or more")
        self.most = most
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    def __reduce__(self) -> tuple[object, ...]:
        """A loop does not leave its process."""
        return Turns, (self.most,)

    async def take(self, call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """What the call returns, from a thread; it waits for its turn."""
        turn = self._loops.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.most))
        async with turn:
            return await asyncio.to_thread(partial(call, *args, **kwargs))
