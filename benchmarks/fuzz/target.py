"""What is fuzzed: a part of the package that takes bytes from strangers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Run = Callable[[bytes], None]
"""Gives an input to the part. Raises AssertionError where what comes out does not hold, and whatever the part raises
that is no error of CABS."""


@dataclass(frozen=True, slots=True)
class Target:
    """`make` prepares the part, with a folder of its own for files. `seeds`: good inputs to begin with. `words`: what
    inputs are put together of, besides bytes. `longest`: bytes of an input. `pumped`: bytes to which inputs are
    repeated to see how time grows; 0: never."""

    name: str
    make: Callable[[Path], Run]
    seeds: Callable[[], Sequence[bytes]] = tuple
    words: Callable[[], Sequence[str]] = tuple
    longest: int = 4096
    pumped: int = 0


def text_of(data: bytes) -> str:
    """Bytes as a text; those that are no UTF-8 become lone surrogates, which hostile JSON can hold too."""
    return data.decode("utf-8", "surrogateescape")
