"""Items → results, in their order, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import Any, TypeVar

from cabs.errors import WorkerError
from cabs.scoring.pacing import settled

CHUNK = 16
"""Items that a process gets at a time."""

AHEAD = 3
"""Chunks per process that wait or run: enough to keep all of them busy, few enough to bound memory."""

MOST = 61 if os.name == "nt" else sys.maxsize
"""Processes that the system can wait for at once."""

In = TypeVar("In")
Out = TypeVar("Out")
Work = Callable[[In], Out]


def mapped(
    items: Iterable[In], make: Callable[[], Work[In, Out]], workers: int = 1, together: int = CHUNK
) -> Generator[Out, None, None]:
    """What the function that `make` makes gives for each item, in the order of the items, whatever the number
    of workers. Each process makes its own, once; `make`, items and results travel between processes, so many
    `together`.

    Raises:
        WorkerError: a worker process died.
    """
    if workers <= 1:
        yield from map(make(), items)
        return
    # Processes are spawned: a forked one would inherit the locks of whatever threads the caller runs.
    pool = ProcessPoolExecutor(min(workers, MOST), multiprocessing.get_context("spawn"), _start, (make,))
    try:
        for chunk in _ordered(pool, _chunks(items, together), workers * AHEAD):
            yield from chunk
    except BrokenProcessPool:
        hint = "too little memory is the usual cause; try fewer workers"
        raise WorkerError("a worker process died", hint=hint) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ordered(pool: ProcessPoolExecutor, chunks: Iterator[list[Any]], ahead: int) -> Iterator[list[Any]]:
    waiting: deque[Future[list[Any]]] = deque(_submitted(pool, chunk) for chunk in islice(chunks, ahead))
    while waiting:
        done = waiting.popleft().result()
        waiting.extend(_submitted(pool, chunk) for chunk in islice(chunks, 1))
        yield done


def _submitted(pool: ProcessPoolExecutor, chunk: list[Any]) -> Future[list[Any]]:
    """A chunk handed over. A process that this starts inherits a blocked interrupt, which is the parent's to handle;
    the parent gets one that comes meanwhile right after."""
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(_work, chunk)
    resource_tracker.ensure_running()  # it would unblock the signal if it started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_work, chunk)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunks(items: Iterable[In], size: int) -> Iterator[list[In]]:
    source = iter(items)
    while chunk := list(islice(source, size)):
        yield chunk


class _Worker:
    """What one worker process keeps between chunks."""

    work: Callable[[Any], Any]


def _start(make: Callable[[], Callable[[Any], Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Worker.work = make()
    settled()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it is gone: where that is killed, nobody else ends it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(chunk: list[Any]) -> list[Any]:
    return [_Worker.work(item) for item in chunk]
