"""A pause of the cyclic garbage collector, for code that builds many objects which stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def building() -> Iterator[None]:
    """No collection inside: it would walk all that is built again and again and find nothing (a quarter of the time).

    Where the collector is off already it stays off; another thread's garbage waits for the end.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()
