"""Short texts of many reports (ids, clusters), kept small: a block of them is one string of bytes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar, overload

from cabs.scoring.left_out import Listed

BLOCK = 4096
"""Texts that are packed together; so many wait as they are at most."""

Text = TypeVar("Text", str, str | None)


class Texts(Sequence[Text], Generic[Text]):
    """Texts (or None) in a row, a sequence like any other: their bytes and four more each. It grows at its end; what it
    holds never changes.

    >>> Texts(["a", "é"]) == ("a", "é"), Texts(["a", "é"])[-1]
    (True, 'é')
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, texts: Iterable[Text] = ()) -> None:
        self._blocks: list[_Block] = []
        self._waiting: list[Text] = []
        for text in texts:
            self.append(text)

    def append(self, text: Text) -> None:
        """Add one more."""
        self._waiting.append(text)
        if len(self._waiting) == BLOCK:
            self._blocks.append(_packed(self._waiting))
            self._waiting = []

    def extend(self, texts: Iterable[Text]) -> None:
        """Add some more."""
        for text in texts:
            self.append(text)

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK + len(self._waiting)

    @overload
    def __getitem__(self, at: int) -> Text: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Text, ...]: ...

    def __getitem__(self, at: int | slice) -> Text | tuple[Text, ...]:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        at = range(len(self))[at]
        block, within = divmod(at, BLOCK)
        if block == len(self._blocks):
            return self._waiting[within]
        return self._blocks[block].get(within)  # type: ignore[return-value]

    def __iter__(self) -> Iterator[Text]:
        for block in self._blocks:
            yield from block.texts()  # type: ignore[misc]
        yield from self._waiting

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} reports>"

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
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(tuple(self)) if len(self) <= BLOCK else f"<{type(self).__name__} of {len(self)} reports>"
