"""Text files line by line: UTF-8, line numbers that stay true, and a clear word where a file isn't text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cabs.errors import InputError
from cabs.io.encoding import BOM, as_utf8, eight_bit, marked, with_nul


class Line(NamedTuple):
    """A line with its number, counted from 1, and without its end (LF or CRLF)."""

    number: int
    text: str


def name_of(path: Path) -> str:
    """How messages call the file; "-" is the standard input."""
    return "standard input" if str(path) == "-" else str(path)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, or of the standard input for "-".

    Raises:
        InputError: there is no such file, or it can't be read.
    """
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        handle = path.open("rb")
    except FileNotFoundError:
        raise InputError("no such file", place=str(path), hint=beside(path)) from None
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", place=str(path)) from None
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror}", place=str(path)) from None
    with handle:
        yield handle


def beside(path: Path) -> str:
    """What to do about a file that isn't there: the one of its folder with nearly its name, or where was looked."""
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {str(folder)!r} either"
    try:
        names = [other.name for other in folder.iterdir()]
    except OSError:  # it may be entered and not be listed
        names = []
    near = get_close_matches(path.name, names, 1)
    return f"did you mean {str(folder / near[0])!r}?" if near else f"looked in {folder.resolve()}"


def decoded(raw: bytes, place: str) -> str:
    """The text of some bytes.

    Raises:
        InputError: they are not UTF-8, or they hold a NUL.
    """
    if b"\0" in raw:
        raise InputError("holds a NUL byte, so it isn't a text file", place=place, hint=with_nul(raw))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 (byte {error.start + 1} of the line)", place=place, hint=eight_bit(raw)) from None


def check_mark(start: bytes, place: str) -> None:
    """See that the first bytes of a file don't announce another encoding.

    Raises:
        InputError: they do.
    """
    encoding = marked(start)
    if encoding is not None:
        raise InputError(f"this is {encoding}", place=place, hint=as_utf8(encoding))


def numbered_lines(path: Path) -> Iterator[Line]:
    """The lines of a UTF-8 file, blank ones too; a byte order mark is dropped. Only LF ends a line, so that a
    report with other separators in it stays whole.

    Raises:
        InputError: the file can't be opened or isn't UTF-8 text; the place is the file and the line.
    """
    with opened(path) as handle:
        yield from lines_of(handle, name_of(path))


def lines_of(raw_lines: Iterable[bytes], name: str, first: int = 1) -> Iterator[Line]:
    """The same of the bytes of lines, of which the first has the number `first` in the file of this name."""
    for number, raw in enumerate(raw_lines, start=first):
        if number == 1:
            check_mark(raw, f"{name}:1")
        body = raw.removeprefix(BOM) if number == 1 else raw
        text = decoded(body, f"{name}:{number}").removesuffix("\n").removesuffix("\r")
        yield Line(number, text)
