"""Work that is handed over before its result is asked for, each piece once, a bounded number kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Generic, TypeVar

from cabs.llm.service import Service

KEPT = 512
"""Finished results that are kept, for texts that come again soon."""

ROOM = 8
"""Times the concurrency so many are kept at least: pairs of two texts are handed over twice the concurrency ahead, and
none of them may be lost before it is asked for."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Ahead(Generic[K, V]):
    """Results of `work` by key; `begin` hands one over, calling waits for it. Thread-safe."""

    def __init__(self, service: Service, work: Callable[[K], Coroutine[Any, Any, V]], kept: int = KEPT) -> None:
        self._service, self._work = service, work
        self._kept = max(kept, ROOM * service.server.concurrency)
        self._futures: OrderedDict[K, Future[V]] = OrderedDict()
        self._lock = Lock()

    def begin(self, key: K) -> Future[V]:
        """The work on a key, which goes on meanwhile."""
        with self._lock:
            future = self._futures.get(key)
            if future is None:
                future = self._futures[key] = self._service.submit(self._work(key))
                self._forget()
            self._futures.move_to_end(key)
            return future

    def __call__(self, key: K) -> V:
        """The result; raises what the work raises."""
        return self.begin(key).result()

    def _forget(self) -> None:
        """Drop the oldest results; what is under way is never dropped, since it would be done twice."""
        spare = len(self._futures) - self._kept
        old = [key for key, future in self._futures.items() if future.done()][: max(spare, 0)]
        for key in old:
            del self._futures[key]
