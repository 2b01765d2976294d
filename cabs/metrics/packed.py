"""A row of many small values, kept in packed blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar, overload

BLOCK = 4096
"""Values that are packed together; so many wait as they are at most."""

Value = TypeVar("Value")
Waiting = TypeVar("Waiting")
Block = TypeVar("Block")


class Packed(Sequence[Value], Generic[Value, Waiting, Block]):
    """A sequence like any other, but in few bytes. It grows at its end; what it holds never changes, so that it is
    equal to any sequence of the same values."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._blocks: list[Block] = []
        self._waiting: list[Waiting] = []
        self.extend(values)

    @abstractmethod
    def append(self, value: Value) -> None:
        """Add one more."""

    @abstractmethod
    def extend(self, values: Iterable[Value]) -> None:
        """Add some more."""

    @abstractmethod
    def _pack(self, waiting: list[Waiting]) -> Block:
        """`BLOCK` values in one block."""

    @abstractmethod
    def _from_block(self, block: Block, at: int) -> Value:
        """The value at a position of a block."""

    @abstractmethod
    def _from_waiting(self, waiting: Waiting) -> Value:
        """The value of one that waits."""

    def _add(self, waiting: Waiting) -> None:
        self._waiting.append(waiting)
        if len(self._waiting) == BLOCK:
            self._blocks.append(self._pack(self._waiting))
            self._waiting = []

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK + len(self._waiting)

    @overload
    def __getitem__(self, at: int) -> Value: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Value, ...]: ...

    def __getitem__(self, at: int | slice) -> Value | tuple[Value, ...]:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        block, within = divmod(range(len(self))[at], BLOCK)
        if block == len(self._blocks):
            return self._from_waiting(self._waiting[within])
        return self._from_block(self._blocks[block], within)

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} reports>"


def same(one: Sequence[object], other: object) -> bool:
    """Whether another sequence holds equal values in the same order."""
    if not isinstance(other, Sequence) or isinstance(other, str | bytes):
        return NotImplemented  # type: ignore[no-any-return]  # what `__eq__` says of another kind of thing
    return len(one) == len(other) and all(a == b for a, b in zip(one, other, strict=True))
