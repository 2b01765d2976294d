"""Which slices of how many."""

from __future__ import annotations

from cabs.errors import SettingError


def evenly(total: int, wanted: int) -> tuple[int, ...]:
    """`wanted` of `total` slices, in the middles of as many equal parts; all of them where there are no more.

    >>> evenly(100, 4), evenly(3, 10)
    ((12, 37, 62, 87), (0, 1, 2))

    Raises:
        SettingError: fewer than one are wanted.
    """
    if wanted < 1:
        raise SettingError(f"{wanted} slices are none", place="slices", hint="1 or more")
    if wanted >= total:
        return tuple(range(total))
    return tuple((2 * part + 1) * total // (2 * wanted) for part in range(wanted))


def around(total: int, wanted: int, middle: int, step: int = 1) -> tuple[int, ...]:
    """`wanted` slices, `step` apart, with `middle` in their middle (the later one of two); moved inwards at the ends of
    the volume, fewer where it has no more.

    >>> around(100, 3, 50), around(100, 5, 99, 2), around(100, 2, 0)
    ((49, 50, 51), (91, 93, 95, 97, 99), (0, 1))

    Raises:
        SettingError: `middle` is no slice of the volume, or `wanted` or `step` is less than one.
    """
    if not 0 <= middle < total:
        raise SettingError(f"there is no slice {middle}", place="around", hint=f"0 to {total - 1}")
    if wanted < 1 or step < 1:
        raise SettingError("slices and their step are 1 or more", place="slices" if wanted < 1 else "step")
    kept = min(wanted, (total - 1) // step + 1)
    first = min(max(middle - kept // 2 * step, 0), total - 1 - (kept - 1) * step)
    return tuple(range(first, first + kept * step, step))
