"""Short texts of many reports (ids, clusters), kept small: a block of them is one string of bytes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar, overload

from cabs.metrics.packed import BLOCK, Packed, same
from cabs.scoring.left_out import Listed

Text = TypeVar("Text", str, str | None)


class Texts(Packed[Text, Text, "_Block"], Generic[Text]):
    """Texts (or None) in a row: their bytes and four more each.

    >>> Texts(["a", "é"]) == ("a", "é"), Texts(["a", "é"])[-1]
    (True, 'é')
    """

    def append(self, value: Text) -> None:
        """Add one more."""
        self._add(value)

    def extend(self, values: Iterable[Text]) -> None:
        """Add some more."""
        for text in values:
            self._add(text)

    def _pack(self, waiting: list[Text]) -> _Block:
        return _packed(waiting)

    def _from_block(self, block: _Block, at: int) -> Text:
        return block.get(at)  # type: ignore[return-value]

    def _from_waiting(self, waiting: Text) -> Text:
        return waiting

    def __iter__(self) -> Iterator[Text]:
        for block in self._blocks:
            yield from block.texts()  # type: ignore[misc]
        yield from self._waiting

    @property
    def nbytes(self) -> int:
        """Bytes that the packed texts take."""
        return sum(block.nbytes for block in self._blocks)


class _Block:
    """`BLOCK` texts: their bytes, where each of them ends, and which are None; nothing where all are."""

    __slots__ = ("content", "ends", "none")

    def __init__(self, content: bytes, ends: array[int], none: frozenset[int]) -> None:
        self.content, self.ends, self.none = content, ends, none

    def get(self, at: int) -> str | None:
        if not self.ends or at in self.none:
            return None
        start = self.ends[at - 1] if at else 0
        return self.content[start : self.ends[at]].decode("utf-8", "surrogatepass")

    def texts(self) -> Iterator[str | None]:
        return map(self.get, range(BLOCK))

    @property
    def nbytes(self) -> int:
        return len(self.content) + len(self.ends) * self.ends.itemsize


def _packed(texts: Sequence[str | None]) -> _Block:
    if all(text is None for text in texts):
        return _Block(b"", array("I"), frozenset())
    encoded = [b"" if text is None else text.encode("utf-8", "surrogatepass") for text in texts]
    none = frozenset(at for at, text in enumerate(texts) if text is None)
    return _Block(b"".join(encoded), array("I", accumulate(map(len, encoded))), none)


class LeftOut(Sequence[Listed]):
    """Reports with the reason why each is listed, kept small."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Iterable[Listed] = ()) -> None:
        self.ids, self.reasons = Texts[str](), Texts[str]()
        self.extend(items)

    def append(self, item: Listed) -> None:
        """Add one more."""
        self.ids.append(item.id)
        self.reasons.append(item.reason)

    def extend(self, items: Iterable[Listed]) -> None:
        """Add some more."""
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Listed: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Listed, ...]: ...

    def __getitem__(self, at: int | slice) -> Listed | tuple[Listed, ...]:
        if isinstance(at, slice):
            return tuple(map(Listed, self.ids[at], self.reasons[at]))
        return Listed(self.ids[at], self.reasons[at])

    def __iter__(self) -> Iterator[Listed]:
        return map(Listed, self.ids, self.reasons)

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __repr__(self) -> str:
        return repr(tuple(self)) if len(self) <= BLOCK else f"<{type(self).__name__} of {len(self)} reports>"
