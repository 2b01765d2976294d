"""A report between marks that it can't contain: the prompt says that what stands there is data."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

DIGITS = 16
"""Hexadecimal digits of a mark: a text that holds its own has to be searched for among 2^64."""


class Fenced(NamedTuple):
    """A text with a mark before and behind it."""

    mark: str
    block: str


def fenced(text: str, kind: str = "report", beside: str = "") -> Fenced:
    """The text between marks of its own. They follow from the text, and from what stands `beside` it in the question:
    the same question is the same bytes, and nobody who writes either can know them before it is written.

    >>> fenced("All clear.").block.count(fenced("All clear.").mark)
    2
    """
    for turn in range(1 << 16):
        mark = sha256(f"cabs {turn} {text}{beside}".encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
        if mark not in text and mark not in beside:
            return Fenced(mark, f"<{kind} {mark}>\n{text}\n</{kind} {mark}>")
    raise AssertionError("no mark is free")  # 2^16 marks of 64 bits can't all stand in one text
