"""What every format yields: named fields and the place that they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cabs.errors import InputError


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file. `place` is "file:line" (or the nearest thing that the format has), `key` the name
    under which a JSON object keeps the record."""

    fields: Mapping[str, object]
    place: str
    key: str | None = None


def kind_of(value: object) -> str:
    """The type of a value in words that a reader of JSON knows.

    >>> kind_of([1]), kind_of(True), kind_of(None)
    ('a list', 'a boolean', 'null')
    """
    if value is None:
        return "null"
    names = {
        bool: "a boolean",
        str: "text",
        dict: "an object",
        list: "a list",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), f"a {type(value).__name__}")


_REQUIRED = object()


def one_of(
    fields: Mapping[str, object], name: str, allowed: tuple[Any, ...], place: str, default: object = _REQUIRED
) -> Any:
    """The value of a field that has to be one of some; `default` where the field is left out.

    Raises:
        InputError: it is another value, or it is left out and has no default.
    """
    value = fields.get(name, None if default is _REQUIRED else default)
    if value not in allowed:
        choices = ", ".join("null" if a is None else str(a) for a in allowed)
        raise InputError(f"{name!r} is {value!r}", place=place, hint=f"one of {choices}")
    return value
