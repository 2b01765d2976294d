"""Columns of a batch → checked lists, and the fields of each sample."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

from cabs.errors import InputError


def column(given: object, samples: int, place: str) -> list[Any]:
    """A column as a list of `samples` items; numpy's and Arrow's too.

    Raises:
        InputError: it is no list, or of another length.
    """
    if given is None or isinstance(given, str | bytes | Mapping) or not isinstance(given, Sized):
        raise InputError(f"a list of {samples} items expected, one a completion", place=place)
    if len(given) != samples:
        raise InputError(f"{len(given)} items for {samples} completions", place=place, hint="one a completion")
    return list(given)  # type: ignore[call-overload, no-any-return]  # sized and no mapping: numpy, Arrow, a list


def rows(columns: Mapping[str, Any], samples: int) -> list[dict[str, Any]]:
    """The fields of each sample: its item of every column of one item a sample; anything else is left out."""
    fitting = {name: list(given) for name, given in columns.items() if _fits(given, samples)}
    return [{name: items[at] for name, items in fitting.items()} for at in range(samples)]


def _fits(given: Any, samples: int) -> bool:
    plain = isinstance(given, list | tuple) or hasattr(given, "tolist")
    return plain and isinstance(given, Sized) and len(given) == samples
