"""One JSON document, entry by entry: a list or an object of any length is never held whole."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cabs.errors import InputError
from cabs.io.encoding import BOM, eight_bit, with_nul
from cabs.io.lines import check_mark, name_of, opened
from cabs.io.record import kind_of

CHUNK = 1 << 18
SPACE = " \t\r\n"
LONGEST_MARK = 4
"""Bytes of the longest mark of an encoding."""


class Entry(NamedTuple):
    """One element of a JSON list (`key` is None) or one member of a JSON object."""

    key: str | None
    value: object
    place: str


class _Reader:
    """A window on a JSON text that grows until the next value is whole."""

    def __init__(self, handle: BinaryIO, name: str) -> None:
        self.handle, self.name = handle, name
        self.text, self.at, self.line, self.ended = "", 0, 1, False
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.scan = json.JSONDecoder().raw_decode
        first = handle.read(LONGEST_MARK)
        check_mark(first, f"{name}:1")
        self.feed(first.removeprefix(BOM), last=False)

    def error(self, message: str, hint: str = "") -> InputError:
        return InputError(message, place=f"{self.name}:{self.line}", hint=hint)

    def feed(self, raw: bytes, *, last: bool) -> None:
        try:
            new = self.decoder.decode(raw, last)
        except UnicodeDecodeError as error:
            self.line += self.text.count("\n", self.at) + error.object[: error.start].count(b"\n")
            raise self.error("not UTF-8", eight_bit(raw)) from None
        if "\0" in new:
            self.line += self.text.count("\n", self.at) + new[: new.index("\0")].count("\n")
            raise self.error("holds a NUL byte, so it isn't a text file", with_nul(raw))
        self.text, self.at = self.text[self.at :] + new, 0

    def grow(self, size: int = CHUNK) -> None:
        raw = self.handle.read(size)
        self.ended = not raw
        self.feed(raw, last=self.ended)

    def advance(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to

    def peek(self) -> str:
        """The next character that isn't white space; "" at the end."""
        while True:
            to = self.at
            while to < len(self.text) and self.text[to] in SPACE:
                to += 1
            self.advance(to)
            if to < len(self.text):
                return self.text[to]
            if self.ended:
                return ""
            self.grow()

    def take(self, wanted: str) -> str:
        """The next character, which has to be one of `wanted`."""
        found = self.peek()
        if not found or found not in wanted:
            what = repr(found) if found else "the end of the file"
            raise self.error(f"not readable as JSON: {' or '.join(map(repr, wanted))} expected, found {what}")
        self.advance(self.at + 1)
        return found

    def value(self) -> object:
        """The next value. The window doubles while it is cut, so that a long value takes linear time."""
        self.peek()
        while True:
            try:
                value, end = self.scan(self.text, self.at)
            except json.JSONDecodeError as error:
                if self.ended:
                    self.advance(min(error.pos, len(self.text)))
                    raise self.error(f"not readable as JSON: {error.msg}") from None
            except (RecursionError, ValueError) as error:
                raise self.error(f"not readable as JSON: {error}") from None
            else:
                if end < len(self.text) or self.ended:  # a number may go on behind the window's end
                    self.advance(end)
                    return value
            self.grow(max(CHUNK, len(self.text)))

    def key(self) -> str:
        value = self.value()
        if not isinstance(value, str):
            raise self.error("not readable as JSON: a name in double quotes expected")
        self.take(":")
        return value


def entries(path: Path) -> Iterator[Entry]:
    """The entries of the list or the object that a JSON file holds. An empty file has none.

    Raises:
        InputError: the file isn't a JSON list or object; the place is the file and the line.
    """
    with opened(path) as handle:
        reader = _Reader(handle, name_of(path))
        if not reader.peek():
            return
        if reader.peek() not in "[{":
            what = f"a list or an object of records expected, found {kind_of(reader.value())}"
            raise InputError(what, place=f"{reader.name}:{reader.line}")
        opening = reader.take("[{")
        closing = "]" if opening == "[" else "}"
        if reader.peek() == closing:
            reader.take(closing)
        else:
            yield from _members(reader, closing)
        if reader.peek():
            raise reader.error("text behind the end of the JSON document", "JSON Lines files are named .jsonl")


def _members(reader: _Reader, closing: str) -> Iterator[Entry]:
    while True:
        reader.peek()
        place = f"{reader.name}:{reader.line}"
        key = reader.key() if closing == "}" else None
        yield Entry(key, reader.value(), place)
        if reader.take("," + closing) == closing:
            return
