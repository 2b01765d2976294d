"""What a long run has finished so far, so that a later run of the same kind can go on from there."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from cabs.io.jsontext import json_line
from cabs.io.lock import hold
from cabs.io.output import absent_parents, home_of, real, remove_empty, writing

MARK = b"CABS"
"""What every entry starts with."""
HEAD = struct.Struct("<4sIII")
"""The head of an entry: the mark, what it counts, its length in bytes and their checksum."""


def journal_path(folder: Path) -> Path:
    """Where the journal of a run that writes to `folder` stands: with its other hidden files, or where a run left it
    that was stopped after its folder had come into being."""
    folder = real(folder)
    path, beside = (home / f".{folder.name}.cabs-partial" for home in (home_of(folder), folder.parent))
    return beside if beside.is_file() and not path.is_file() else path


def finished(path: Path) -> int:
    """What the entries of a journal count, whoever has it open; 0 where there is none."""
    try:
        with path.open("rb") as handle:
            handle.readline()
            return _counted(handle)[1]
    except FileNotFoundError:
        return 0


def _counted(handle: BinaryIO) -> tuple[int, int]:
    """Where the last whole entry ends, from here, and what the entries count."""
    at, number = handle.tell(), 0
    size = handle.seek(0, os.SEEK_END)
    handle.seek(at)
    while (head := _head(handle)) is not None and at + HEAD.size + head[1] <= size:
        at, number = at + HEAD.size + head[1], number + head[0]
        handle.seek(at)
    return at, number


def _head(handle: BinaryIO) -> tuple[int, int, int] | None:
    """What the next entry counts, its length and checksum; None where there is none."""
    raw = handle.read(HEAD.size)
    if len(raw) < HEAD.size or not raw.startswith(MARK):
        return None
    _, number, length, check = HEAD.unpack(raw)
    return number, length, check


class Journal:
    """Finished parts of a run in their order, on disk: memory holds nothing of them. The process that has it open holds
    it alone.

    The first line is the run's header. A journal with another header is of another kind of run and is begun anew; from
    an entry on that was cut off or damaged it is dropped.

    `alone`: False on a file system that knows no locks, where another process may have it open too.

    Raises:
        OutputError: it can't be written, or another process has it open.
    """

    alone = True

    def __init__(self, path: Path, header: Mapping[str, object]) -> None:
        self.path, self.made = path, absent_parents(path)
        self.first = json_line(header).encode() + b"\n"
        try:
            with writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                self.handle = self._opened()
                self.end, self.number = self._whole()
                self.at, self.before = self.end, self.number
                self._cut()
        except BaseException:
            remove_empty(self.made)
            raise

    def _opened(self) -> BinaryIO:
        """The file, held by this process; it is there already, or new and empty."""
        while True:
            handle = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
            try:
                self.alone = hold(handle, self.path, "another run is writing there")
                if self._is(handle):
                    return handle
            except BaseException:
                handle.close()
                raise
            handle.close()  # the run that had it has ended and removed it meanwhile

    def _is(self, handle: BinaryIO) -> bool:
        """Whether an open file is still the one of this name."""
        try:
            return os.path.samestat(os.fstat(handle.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def _whole(self) -> tuple[int, int]:
        """The number of bytes that are whole and of this run, 0 if the header is another one; and what they count."""
        self.handle.seek(0)
        return _counted(self.handle) if self.handle.readline(len(self.first)) == self.first else (0, 0)

    def _cut(self) -> None:
        self.handle.truncate(self.end)
        if not self.end:
            self.handle.seek(0)
            self.end = self.handle.write(self.first)
        self.handle.flush()

    def __len__(self) -> int:
        return self.number

    @property
    def empty(self) -> bool:
        """True while nothing is finished."""
        return self.end <= len(self.first)

    def entries(self) -> Iterator[bytes]:
        """What is finished, in its order, until something is damaged: that and what comes after it is dropped."""
        self.at, self.before = len(self.first), 0
        while self.at < self.end:
            self.handle.seek(self.at)
            head = _head(self.handle)
            content = b"" if head is None else self.handle.read(head[1])
            if head is None or zlib.crc32(content) != head[2]:
                self.drop()
                return
            yield content
            if self.at < self.end:
                self.at, self.before = self.at + HEAD.size + len(content), self.before + head[0]

    def drop(self) -> None:
        """Drop the entry that was read last and what comes after it."""
        self.end, self.number = self.at, self.before
        with writing(self.path):
            self._cut()

    def add(self, content: bytes, number: int = 1) -> None:
        """Write an entry that counts as so many."""
        with writing(self.path):
            self.handle.seek(self.end)
            self.handle.write(HEAD.pack(MARK, number, len(content), zlib.crc32(content)) + content)
            self.handle.flush()
        self.end += HEAD.size + len(content)
        self.number += number

    def close(self) -> None:
        """Leave the journal for a later run."""
        self.handle.close()

    def remove(self) -> None:
        """The journal is no longer needed: leave nothing of it."""
        try:
            self.path.unlink(missing_ok=True)  # while it is held, so that no other run takes it for its own
        except PermissionError:  # Windows removes no open file
            self.handle.close()
            self.path.unlink(missing_ok=True)
        self.handle.close()
        remove_empty(self.made)
