"""How time grows with a text: processor time of one repeated so often, and four times as often."""

from __future__ import annotations

import time
from hashlib import blake2b
from random import Random

from benchmarks.fuzz.target import Run

TIMES = 4
MOST = 10.0
"""How many times longer may take what is `TIMES` as long: linear work takes 4 times, quadratic 16 times as long."""
FLOOR = 0.02
"""Seconds of the longer one below which nothing is said: there the clock decides."""
TRIES = 4
"""A growth counts when it is seen each time: another program may take the cache away once."""


def repeated(data: bytes, size: int) -> tuple[bytes, bytes]:
    """An input blown up to about `size` bytes and to a quarter of it: it, or a part of it in its place, comes again and
    again. The same input is always blown up in the same way."""
    rng = Random(blake2b(data, digest_size=8).digest())
    start, end = (0, len(data)) if rng.random() < 0.4 else sorted(rng.randrange(len(data) + 1) for _ in "ab")
    head, part, tail = data[:start], data[start:end] or data, data[end:]
    number = max(1, size // TIMES // max(1, len(part)))
    return head + part * number + tail, head + part * number * TIMES + tail


def beyond_linear(run: Run, data: bytes, size: int) -> str:
    """What to say of an input whose time grows faster than its length; "" for the others. The input is not empty."""
    short, long = repeated(data, size)
    least = 0.0
    for n in range(TRIES):
        before, after = _seconds(run, short), _seconds(run, long)
        if after < FLOOR or after <= MOST * before:
            return ""
        growth = after / max(before, 1e-9)  # a clock may show nothing of the shorter one
        least = min(least or growth, growth)
        if n == 0:
            before, after = _seconds(run, short), _seconds(run, long)  # tables are filled now
    return f"{len(long)} bytes take {least:.0f} times as long as {len(short)}: {after:.2f} s"


def _seconds(run: Run, data: bytes) -> float:
    begun = time.process_time()
    run(data)
    return time.process_time() - begun
