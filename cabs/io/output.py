"""Writing so that nothing half-written is ever seen: beside the place first, moved there when whole."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

from cabs.errors import OutputError
from cabs.io.busy import patiently


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Turns what the operating system says about a place into an `OutputError`."""
    try:
        yield
    except BrokenPipeError:  # the reader of the standard output has left: no fault of the place
        raise
    except OSError as error:
        hint = next((hint for hint, codes in HINTS.items() if error.errno in codes), "")
        raise OutputError(f"can't be written: {error.strerror or error}", place=str(place), hint=hint) from None


HINTS = {
    "make room there, or name a place on another disk": (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    "name a place that you may write to": (errno.EROFS, errno.EACCES, errno.EPERM),
}
"""What helps against what the operating system says."""


def write_bytes(place: Path, content: bytes) -> None:
    """Write a whole file.

    Raises:
        OutputError: it can't be written.
    """
    with writing(place):
        place.write_bytes(content)


def check_ending(path: Path, allowed: Collection[str], what: str) -> None:
    """See that a file's name says what will be in it. Devices and pipes have any name.

    Raises:
        OutputError: it ends in another way.
    """
    with writing(path):
        special = path.exists() and not path.is_file()
    if special or path.suffix.lower() in allowed:
        return
    ending = f"ends in {path.suffix!r}" if path.suffix else "has no ending"
    raise OutputError(f"the name {ending}", place=str(path), hint=f"{what} is written as {' or '.join(allowed)}")


TABLES = (".csv", ".tsv", ".xlsx", ".parquet", ".pq")


def check_lines(path: Path | None) -> None:
    """See that the name of a file of JSON Lines does not say that it is a table.

    Raises:
        OutputError: it does.
    """
    if path is not None and path.suffix.lower() in TABLES:
        hint = "facts are written as JSON Lines: name it .jsonl"
        raise OutputError(f"the name ends in {path.suffix!r}", place=str(path), hint=hint)


def sync(path: Path) -> None:
    """Bring a file's content to the disk before its name says that it is whole."""
    with path.open("r+b") as handle:  # Windows syncs only what may be written
        os.fsync(handle.fileno())


@contextmanager
def text_output(path: Path | None) -> Iterator[TextIO]:
    """A text file to write, which appears under its name when the block ends well and not at all otherwise.
    None is the standard output; a device or a pipe is written straight through.

    Raises:
        OutputError: the place can't be written.
    """
    if path is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    target = path.resolve()  # a link stays a link
    if target.exists() and not target.is_file() and not target.is_dir():
        with writing(path), target.open("w", encoding="utf-8", newline="\n") as handle:
            yield handle
        return
    with file_output(path) as beside, writing(path), beside.open("w", encoding="utf-8", newline="\n") as handle:
        yield handle


@contextmanager
def file_output(path: Path) -> Iterator[Path]:
    """Where to write a file that appears under its name when the block ends well and not at all otherwise.

    Raises:
        OutputError: the place can't be written.
    """
    target = path.resolve()
    _check_file(path, target)
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with writing(path):
            yield beside
            sync(beside)
            patiently(lambda: beside.replace(target), path)
    finally:
        beside.unlink(missing_ok=True)


def _check_file(path: Path, target: Path) -> None:
    if target.is_dir():
        raise OutputError("this is a folder, a file is expected", place=str(path))
    if not target.parent.is_dir():
        raise OutputError("its folder does not exist", place=str(path), hint=f"mkdir -p {path.parent}")


class Staging:
    """The files of one run. They are written in a hidden folder (`path`) and moved together by `commit`. `own`: every
    name that such a run may write."""

    def __init__(self, folder: Path, own: Iterable[str] = ()) -> None:
        folder = real(folder)
        self.folder, self.own = folder, tuple(own)
        self.made = absent_parents(folder)
        self.hidden = home_of(folder) / f".{folder.name}.cabs-{os.getpid()}.tmp"
        if folder.exists() and not folder.is_dir():
            raise OutputError("this is a file, a folder is expected", place=str(folder))
        with writing(folder):
            self.hidden.parent.mkdir(parents=True, exist_ok=True)
            self.hidden.mkdir()

    def path(self, name: str) -> Path:
        """Where a file of the run is written for now.

        Raises:
            OutputError: the name leads elsewhere; nothing that a file says may do that.
        """
        if name in ("", ".", "..") or set(name) & set("/\\:\0"):
            raise OutputError(f"{name!r} is no name of a file", place=str(self.folder))
        return self.hidden / name

    def commit(self, last: str) -> None:
        """Move the files to their folder; files of the same names are replaced, and those of an earlier run that this
        one does not write (`own`) removed: they would be taken for this run's, and may hold texts that it keeps out.
        Others are left alone. `last` is moved last, so that whoever finds it finds the others."""
        with writing(self.folder):
            names = sorted((p.name for p in self.hidden.iterdir()), key=lambda name: (name == last, name))
            for name in names:
                sync(self.hidden / name)
            if not self.folder.exists():
                patiently(lambda: self.hidden.rename(self.folder), self.folder)
                return
            mine = {last, *self.own}.difference(set(names) - {last})  # an earlier `last` would vouch for new files
            for name in mine:
                patiently(partial((self.folder / name).unlink, missing_ok=True), self.folder / name)
            for name in names:
                patiently(partial((self.hidden / name).replace, self.folder / name), self.folder / name)
            self.hidden.rmdir()

    def discard(self) -> None:
        """Remove whatever the run has written, and the parent folders that it made."""
        shutil.rmtree(self.hidden, ignore_errors=True)
        remove_empty(self.made)


@contextmanager
def staged(folder: Path, last: str, own: Iterable[str] = ()) -> Iterator[Staging]:
    """A `Staging` that is committed when the block ends well and discarded otherwise.

    Raises:
        OutputError: the folder can't be written; this is known before any work is done.
    """
    staging = Staging(folder, own)
    try:
        yield staging
        staging.commit(last)
    except BaseException:
        staging.discard()
        raise


def real(folder: Path) -> Path:
    """The folder under its own name, where it is called by a link or by dots: what stands beside it, and who holds it,
    is the same for all of them. One that a link leads to and that is not there yet will be made."""
    called = folder.is_symlink() or folder.name in ("", "..")
    return Path(os.path.realpath(folder)) if called else folder


def home_of(folder: Path) -> Path:
    """Where the hidden files of a run stand: in the folder if it is there (it may be a mount, where nothing
    can be moved in from outside), beside it otherwise."""
    return folder if folder.is_dir() else folder.parent


def sweep(folder: Path) -> None:
    """Remove the hidden folders of runs into this folder that were killed. Only for a caller who knows that no run goes
    on there."""
    folder = real(folder)
    for home in {home_of(folder), folder.parent}:
        for path in home.glob(f".{glob.escape(folder.name)}.cabs-*.tmp"):
            shutil.rmtree(path, ignore_errors=True)


def absent_parents(path: Path) -> list[Path]:
    """The folders that would have to be made for a path, innermost first."""
    return [parent for parent in path.parents if not parent.exists()]


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove those of these folders that are empty."""
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
