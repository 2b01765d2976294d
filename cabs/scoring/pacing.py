"""A cyclic garbage collector that comes less often, for runs: they make many values that stay and hardly a cycle, and
every full collection walks the ontology with all that was read so far (a fifth of the time)."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

YOUNG = 100_000
"""New containers between two collections; Python's own is 700. What is garbage in cycles waits no longer than that."""


class _Pace:
    """How many are paced now, and the thresholds to go back to after the last of them."""

    lock, inside, before = Lock(), 0, gc.get_threshold()


@contextmanager
def paced() -> Iterator[None]:
    """The collector comes less often inside, and as before afterwards; in several threads after the last of them. Where
    it is off, or comes as seldom already, nothing changes."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    with _Pace.lock:
        if not _Pace.inside:
            _Pace.before = young, *older = gc.get_threshold()
            if 0 < young < YOUNG:
                gc.set_threshold(YOUNG, *older)
        _Pace.inside += 1


def _leave() -> None:
    with _Pace.lock:
        _Pace.inside -= 1
        if not _Pace.inside:
            gc.set_threshold(*_Pace.before)


def settled() -> None:
    """For a process that works on and on with what it has made by now: the collector comes less often from here, and
    never walks that again."""
    _enter()
    gc.freeze()
