"""Files anywhere (a path, a folder or a pattern that fsspec knows) → pieces of them that machines read apart.

A record has the same place ("file:line", "file: row N") as where one process reads the file whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from cabs.errors import InputError, MissingExtraError
from cabs.io.jsonl import records_of
from cabs.io.lines import Line, lines_of
from cabs.io.record import Record

PIECE = 1 << 20
"""Bytes of JSON Lines in a piece."""

KINDS: dict[str, Literal["lines", "rows"]] = {
    ".jsonl": "lines", ".ndjson": "lines", ".parquet": "rows", ".pq": "rows",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file: the lines that start at these bytes, or these row groups. `where`: the address that fsspec
    opens; `name`: what messages call the file; `before`: how many lines or rows of it come before."""

    where: str
    name: str
    kind: Literal["lines", "rows"]
    start: int
    end: int
    before: int = 0


def pieces(path: str, size: int = PIECE) -> list[Piece]:
    """The pieces of a file, or of all files of a folder or a pattern, by name; in their order. Names that begin with
    "." or "_" are passed over. `path`: as it was given, since a `Path` makes "s3:/a" of "s3://a".

    Raises:
        InputError: there is no such file, one ends in what is neither JSON Lines nor Parquet, or can't be read.
    """
    system, root = _system(path)
    found: list[Piece] = []
    for file, name in _files(system, root, path):
        where = system.unstrip_protocol(file)
        found += (
            _of_lines(system, file, where, name, size)
            if _kind(name) == "lines"
            else _of_rows(system, file, where, name)
        )
    return found


def _system(path: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtraError(f"addresses need fsspec ({error})", hint="pip install 'cabs[ray]'") from None
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:  # a protocol that is unknown, or whose package is not there
        raise InputError(f"can't be read: {error}", place=path) from None
    return found


def _files(system: Any, root: str, given: str) -> list[tuple[str, str]]:
    """Each file as its file system and as messages call it."""
    if any(sign in root for sign in "*?["):
        names = [name for name in sorted(system.glob(root)) if system.isfile(name)]
    elif system.isdir(root):
        names = sorted(system.find(root))
    elif system.exists(root):
        _kind(given)
        return [(root, given)]
    else:
        raise InputError("no such file", place=given)
    base = root.rstrip("/")
    shown = [name for name in names if not any(part[:1] in "._" for part in _below(name, base).split("/"))]
    if not shown:
        raise InputError("holds no files of pairs", place=given, hint=f"these are understood: {', '.join(KINDS)}")
    of_folder = [(name, f"{given.rstrip('/')}/{_below(name, base)}") for name in shown]
    return of_folder if system.isdir(root) else [(name, name) for name in shown]


def _below(name: str, base: str) -> str:
    return name[len(base) + 1 :] if name.startswith(f"{base}/") else name.rpartition("/")[2]


def _kind(name: str) -> Literal["lines", "rows"]:
    found = KINDS.get("." + name.rpartition(".")[2].lower())
    if found is None:
        hint = f"name it by what it holds: {', '.join(KINDS)}"
        raise InputError("files of this name are not read in pieces", place=name, hint=hint)
    return found


def _of_lines(system: Any, file: str, where: str, name: str, size: int) -> Iterator[Piece]:
    length = int(system.size(file) or 0)
    for start in range(0, max(length, 1), size):
        yield Piece(where, name, "lines", start, min(start + size, length))


def _of_rows(system: Any, file: str, where: str, name: str) -> Iterator[Piece]:
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    before = 0
    with system.open(file, "rb") as handle:
        try:
            meta = ParquetFile(handle).metadata
        except ArrowException as error:
            first = str(error).splitlines()[0]
            raise InputError(f"not readable as Parquet: {first}", place=name) from None
        for group in range(meta.num_row_groups):
            yield Piece(where, name, "rows", group, group + 1, before)
            before += meta.row_group(group).num_rows


def records_in(piece: Piece) -> Iterator[Record]:
    """The records of a piece.

    Raises:
        InputError: it can't be read as what it says.
    """
    system, file = _system(piece.where)
    with system.open(file, "rb") as handle:
        if piece.kind == "rows":
            yield from _rows(handle, piece)
        else:
            yield from records_of(_lines(handle, piece), piece.name)


def lines_in(piece: Piece) -> int:
    """The number of lines, or of rows, of a piece."""
    system, file = _system(piece.where)
    with system.open(file, "rb") as handle:
        if piece.kind == "lines":
            return sum(1 for _ in _raw(handle, piece))
        from pyarrow.parquet import ParquetFile

        meta = ParquetFile(handle).metadata
        return sum(int(meta.row_group(group).num_rows) for group in range(piece.start, piece.end))


def _lines(handle: Any, piece: Piece) -> Iterator[Line]:
    return lines_of(_raw(handle, piece), piece.name, piece.before + 1)


def _raw(handle: Any, piece: Piece) -> Iterator[bytes]:
    """The lines that start in a piece; one that starts before it is another's."""
    at = piece.start
    if at:
        handle.seek(at - 1)
        at += len(handle.readline()) - 1
    while at < piece.end:
        raw = handle.readline()
        if not raw:
            return
        at += len(raw)
        yield raw


def _rows(handle: Any, piece: Piece) -> Iterator[Record]:
    from pyarrow.parquet import ParquetFile

    number, groups = piece.before, list(range(piece.start, piece.end))
    for batch in ParquetFile(handle).iter_batches(batch_size=512, row_groups=groups):
        for row in batch.to_pylist():
            number += 1
            yield Record(row, f"{piece.name}: row {number}")


def placed(found: list[Piece], lines: list[int]) -> list[Piece]:
    """The pieces, told how many lines come before each of them; `lines`: how many each of them has."""
    out: list[Piece] = []
    for at, piece in enumerate(found):
        follows = out and out[-1].where == piece.where
        before = out[-1].before + lines[at - 1] if follows else 0
        out.append(replace(piece, before=before))
    return out
