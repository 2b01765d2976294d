"""Key slices: what is a valid one, how far two are apart. Source: [E-MRL], the consistency reward and K-Hit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cabs.io.fields import missing
from cabs.io.record import kind_of

REACH = 1
"""A window is [k − REACH, k + REACH], and a hit lies no farther away than this."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Slice:
    """A key slice as somebody stated it: `index`, or None and `reason`. Nothing stated is None and no reason."""

    index: int | None = None
    reason: str = ""

    @property
    def stated(self) -> bool:
        """Whether anything was stated, valid or not."""
        return self.index is not None or bool(self.reason)


UNSTATED = Slice()


def slice_of(value: object, first: int = 0) -> Slice:
    """The slice in a value, a whole number or text that is one; null, NaN and empty text state none. A number below
    `first` is invalid.

    >>> slice_of(" 34 ").index, slice_of("3.5").reason, slice_of(None).stated
    (34, "'3.5' is no whole number", False)
    """
    if missing(value) or (isinstance(value, str) and not value.strip()):
        return UNSTATED
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return Slice(reason=f"{kind_of(value)} is no whole number")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:  # a column of a table that has gaps
        value = int(value)
    text = str(value).strip()
    if not _WHOLE.fullmatch(text):
        return Slice(reason=f"{text[:40]!r} is no whole number")
    return Slice(int(text)) if int(text) >= first else Slice(reason=f"{int(text)} lies before slice {first}")


def moved(key: Slice, offset: int) -> Slice:
    """The slice, counted from another base."""
    return key if key.index is None else Slice(key.index + offset)


def distance(predicted: int, reference: int) -> float:
    """L_dist = 1 − IoU of the windows around two slices, 0 to 1. Windows are not cut at the ends of a volume, whose
    length nobody tells.

    >>> [distance(k, 10) for k in (10, 11, 12, 13, 2)]
    [0.0, 0.5, 0.8, 1.0, 1.0]
    """
    width = 2 * REACH + 1
    both = max(0, width - abs(predicted - reference))
    return 1 - both / (2 * width - both)


def near(predicted: int, reference: int) -> bool:
    """K-Hit: the slices are the same or neighbours.

    >>> near(11, 10), near(12, 10)
    (True, False)
    """
    return abs(predicted - reference) <= REACH
