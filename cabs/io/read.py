"""Which module reads which file, and which shapes of record are unfolded on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cabs.errors import InputError
from cabs.io import csvfile, jsonfile, jsonl, parquet, tif, vlm3d
from cabs.io.frozen import MARK
from cabs.io.lines import opened
from cabs.io.record import Record

READERS: dict[str, Callable[[Path], Iterator[Record]]] = {
    ".jsonl": jsonl.records,
    ".ndjson": jsonl.records,
    ".json": jsonfile.records,
    ".csv": csvfile.records,
    ".tsv": csvfile.records,
    ".parquet": parquet.records,
    ".pq": parquet.records,
}


def read_records(path: Path, unfold: bool = True) -> Iterator[Record]:
    """The records of a file, read by the ending of its name; "-" is JSON Lines on the standard input. Records
    in TIF-GRPO's or VLM3D's shape come out with the fields of a pair or a report, unless `unfold` is False.

    Raises:
        InputError: the ending is unknown, or the file can't be read as what it says.
    """
    yield from told_apart(plain_records(path), unfold)


def told_apart(records: Iterable[Record], unfold: bool = True) -> Iterator[Record]:
    """The records in the shape that they are read in.

    Raises:
        InputError: they are those of a frozen file of facts.
    """
    for record in records:
        if MARK in record.fields:
            raise InputError(
                "this is a frozen file of reference facts", place=record.place, hint="give it with --reference-facts"
            )
        yield from unfolded(record) if unfold else (record,)


def plain_records(path: Path) -> Iterator[Record]:
    """The same records as they stand in the file, in whatever shape.

    Raises:
        InputError: the ending is unknown, or the file can't be read as what it says.
    """
    reader = jsonl.records if str(path) == "-" else READERS.get(path.suffix.lower())
    if reader is None:
        raise not_understood(path, READERS)
    yield from reader(path)


OTHERS = {
    (".xlsx", ".xls", ".ods"): "save the sheet as .csv",
    (".gz", ".zip", ".bz2", ".xz", ".zst", ".7z", ".tar", ".tgz"): "unpack it first",
}
"""Endings that people try, and what helps."""


def not_understood(path: Path, known: Iterable[str]) -> InputError:
    """The error for a file whose ending is none of `known`, or that is not there at all."""
    try:
        with opened(path):
            pass
    except InputError as error:
        return error
    what = f"files that end in {path.suffix!r} are not understood" if path.suffix else "the file's name has no ending"
    hint = next((hint for endings, hint in OTHERS.items() if path.suffix.lower() in endings), "")
    listed = f"name it by what it holds: {', '.join(known)}"
    return InputError(what, place=str(path), hint=hint or listed)


def unfolded(record: Record) -> Iterator[Record]:
    """The records that one record of a known shape stands for; any other record stands for itself."""
    if vlm3d.matches(record.fields):
        yield from vlm3d.records(record)
    elif tif.matches(record.fields):
        yield tif.record(record)
    else:
        yield record
