"""The files of an official download, unpacked or still in their archives."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import IO

from cabs.errors import InputError
from cabs.io.lines import opened

TARS = (".tgz", ".tar.gz", ".tar")


LARGEST = 1 << 31
"""Bytes that one member may have when it is unpacked."""
DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    ValueError,
)
"""What the archives' modules raise for what is damaged, encrypted (RuntimeError) or packed in an unknown way."""


def contents(folder: Path, patterns: Sequence[str], members: str = "*") -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the files that the first of `patterns` finds below a folder, in the order of their names; of
    archives (.zip, .tgz) the members whose path fits `members`; .gz files are unpacked. `folder` may be a file itself.

    Raises:
        InputError: nothing is found, or it can't be read.
    """
    for path in _found(folder, patterns):
        if path.suffix == ".zip":
            yield from _zipped(path, members)
        elif path.name.endswith(TARS):
            yield from _tarred(path, members)
        else:
            with opened(path) as handle:
                raw = handle.read()
            yield str(path), _unpacked(raw, path) if path.suffix == ".gz" else raw


def _found(folder: Path, patterns: Sequence[str]) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise InputError("no such folder", place=str(folder), hint="name the folder of the official download")
    for pattern in patterns:
        found = sorted(path for path in folder.rglob(pattern) if path.is_file())
        if found:
            return found
    raise InputError(f"holds none of {', '.join(patterns)}", place=str(folder), hint="is the download whole?")


def _unpacked(raw: bytes, path: Path) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            return _whole(packed, str(path))
    except DAMAGED as error:
        raise InputError(f"can't be unpacked: {error}", place=str(path)) from None


def _zipped(path: Path, members: str) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(n for n in archive.namelist() if fnmatch(n, members) and not n.endswith("/"))
            yield from _some(
                ((f"{path}: {name}", _member(archive, name, path)) for name in names), path, members, len(names)
            )
    except DAMAGED as error:
        raise InputError(f"can't be unpacked: {error}", place=str(path)) from None


def _tarred(path: Path, members: str) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(path) as archive:
            files = sorted((m for m in archive if m.isfile() and fnmatch(m.name, members)), key=lambda m: m.name)
            read = (
                (f"{path}: {m.name}", _whole(archive.extractfile(m) or io.BytesIO(), f"{path}: {m.name}"))
                for m in files
            )
            yield from _some(read, path, members, len(files))
    except DAMAGED as error:
        raise InputError(f"can't be unpacked: {error}", place=str(path)) from None


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    with archive.open(name) as member:
        return _whole(member, f"{path}: {name}")


def _whole(packed: IO[bytes] | gzip.GzipFile, place: str) -> bytes:
    """All bytes of a packed file. Raises InputError where it would fill the memory."""
    raw = packed.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise InputError(f"has more than {LARGEST >> 30} GiB when it is unpacked", place=place)
    return raw


def _some(items: Iterator[tuple[str, bytes]], path: Path, members: str, count: int) -> Iterator[tuple[str, bytes]]:
    if not count:
        raise InputError(f"holds no file {members}", place=str(path), hint="is the download whole?")
    yield from items
