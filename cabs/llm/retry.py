"""When a failed attempt is worth another one, and how long to wait before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from cabs.llm.failure import Kind

FIRST, LONGEST = 0.5, 30.0
"""Seconds before the second attempt at most, and before any later one: each waits up to twice as long."""
ASKED = 120.0
"""Seconds that a server's Retry-After is followed at most; one that asks for more is asked again then."""

_AGAIN = frozenset((408, 409, 425, 429))
_BUSY = frozenset((408, 425, 502, 503, 504, 529))
_DENIED = frozenset((401, 403, 404, 407))


@dataclass(frozen=True, slots=True)
class Fault:
    """What an attempt failed with. `after`: the seconds that the server asks to wait, None where it doesn't say;
    `again`: another attempt may go well; `busy`: it says nothing of what was asked, only of the server's moment."""

    kind: Kind
    message: str
    again: bool
    after: float | None = None
    busy: bool = False


def of_status(status: int, message: str, retry_after: str | None, now: float) -> Fault:
    """The fault of an HTTP status; `now` is the time in seconds since 1970."""
    after = seconds_of(retry_after, now)
    if status == 429:
        return Fault("rate", message, True, after, True)
    if status in _AGAIN or status >= 500:
        return Fault("server", message, True, after, status in _BUSY)
    return Fault("denied" if status in _DENIED else "request", message, False)


def seconds_of(retry_after: str | None, now: float) -> float | None:
    """The seconds that a Retry-After header asks for: a number or a date; None where it says neither.

    >>> seconds_of("7", 0.0), seconds_of("Thu, 01 Jan 1970 00:00:09 GMT", 4.0), seconds_of("soon", 0.0)
    (7.0, 5.0, None)
    """
    if retry_after is None:
        return None
    try:
        found = float(retry_after)
    except ValueError:
        try:
            found = parsedate_to_datetime(retry_after).timestamp() - now
        except (TypeError, ValueError, OverflowError):
            return None
    return min(max(found, 0.0), ASKED) if found == found else None


def wait(fault: Fault, attempt: int, draw: Callable[[], float]) -> float:
    """Seconds before the next attempt. `attempt`: those made so far, 1 or more; `draw`: a random number in [0, 1).

    Exponential back-off with jitter over its upper half, so that callers who failed together don't come back together;
    never less than the server asks for.
    """
    bound = min(FIRST * 2.0 ** (attempt - 1), LONGEST)
    drawn = bound * (0.5 + 0.5 * draw())
    return drawn if fault.after is None else fault.after + drawn * 0.1
