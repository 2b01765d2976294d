"""The asker behind a thread of its own: programs that know nothing of event loops hand work over and wait for it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

from cabs.llm.asking import Asker, Question, Read
from cabs.llm.cache import Cache
from cabs.llm.client import Client
from cabs.llm.server import Server
from cabs.llm.usage import Usage

T = TypeVar("T")


class Service:
    """One server's asker, in an event loop that runs in a thread of its own. Thread-safe. The thread starts at once and
    ends with the process.

    Raises what `Client` and `Cache` raise.
    """

    def __init__(self, server: Server, transport: Any = None) -> None:
        self.server, self.usage = server, Usage()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cabs-llm", daemon=True)
        self._thread.start()
        try:
            self._asker = self.submit(self._made(transport)).result()
        except BaseException:
            self._stop()
            raise

    async def _made(self, transport: Any) -> Asker:
        client = Client(self.server, transport)
        try:
            cache = Cache(self.server.cache)
        except BaseException:
            await client.close()
            raise
        return Asker(self.server, client, cache, self.usage)

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Work that goes on in the loop's thread; whoever wants its result waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def ask(self, question: Question, read: Read[T]) -> T:
        """See `Asker.ask`; to be awaited by submitted work."""
        return await self._asker.ask(question, read)

    def rung(self, question: Question) -> str:
        """See `Asker.rung`; waits for it."""
        return self.submit(self._asker.rung(question)).result()

    def close(self) -> None:
        """Give up what is under way, close the connections and the cache, end the thread."""
        if not self._loop.is_running():
            return
        self.submit(self._ended()).result()
        self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _ended(self) -> None:
        mine = asyncio.current_task()
        rest = [task for task in asyncio.all_tasks() if task is not mine]
        for task in rest:
            task.cancel()
        for task in rest:
            with suppress(asyncio.CancelledError, Exception):
                await task
        await self._asker.close()


_MADE: dict[tuple[Server, int], Service] = {}
_MAKING = Lock()


def service_of(server: Server) -> Service:
    """The service of a server, made once in a process: readers, judges and rewards share its limits."""
    key = server, os.getpid()  # a thread does not outlive a fork
    with _MAKING:
        if key not in _MADE:
            _MADE[key] = Service(server)
        return _MADE[key]


def close_services() -> None:
    """Close every service that `service_of` has made; the next call makes them anew."""
    with _MAKING:
        for (_, process), service in _MADE.items():
            if process == os.getpid():
                service.close()
        _MADE.clear()
