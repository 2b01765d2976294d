"""What every format yields: named fields and the place that they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
