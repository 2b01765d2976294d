"""A name of any length → one that fits."""

from __future__ import annotations


def shortened(name: str, longest: int) -> str:
    """The name in `longest` characters at most (3 or more). The middle goes, since names of systems differ at the ends.

    >>> shortened("model-a-step-1000", 12), shortened("model-a", 12)
    ('model-…-1000', 'model-a')
    """
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2
    return f"{name[: longest - 1 - tail]}…{name[-tail:]}"
