"""Where a record comes from: its file, its line, and the records of the folders below that it was laid over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Raw(NamedTuple):
    """A record as its file has it.

    `depth`: 0 for the ontology itself, 1 for the first folder laid over it, and so on. `below`: the same record
    in the folders that this one was laid over, the lowest first.
    """

    file: str
    record: dict[str, Any]
    line: int = 0
    depth: int = 0
    below: tuple[Raw, ...] = ()

    def where(self, text: str | None) -> Raw:
        """The lowest layer that holds this text, since it brought it in; the topmost where none does."""
        if text is None or not self.below:
            return self
        return next((layer for layer in self.below if text in strings(layer.record)), self)


def strings(value: Any) -> Iterator[str]:
    """Every text within a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
