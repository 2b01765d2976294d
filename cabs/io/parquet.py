"""Parquet, read in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cabs.errors import InputError, MissingExtraError
from cabs.io.lines import opened
from cabs.io.record import Record

BATCH = 512
"""Rows in memory at a time."""


def batches(path: Path, columns: Sequence[str] | None, size: int = BATCH) -> Iterator[Any]:
    """A Parquet file, or these columns of it as far as it has them, as record batches of Arrow of so many rows at most.

    Raises:
        InputError: the file isn't Parquet.
    """
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtraError(f"Parquet needs pyarrow ({error})", hint="pip install pyarrow") from None
    with opened(path) as handle:
        try:
            yield from ParquetFile(handle).iter_batches(batch_size=size, columns=columns)
        except ArrowException as error:
            first = str(error).splitlines()[0]
            raise InputError(f"not readable as Parquet: {first}", place=str(path)) from None


def records(path: Path, columns: Sequence[str] | None = None) -> Iterator[Record]:
    """The rows of a Parquet file, or these columns of them as far as it has them; the place is the file and the row,
    counted from 1.

    Raises:
        InputError: the file isn't Parquet.
    """
    number = 0
    for batch in batches(path, None if columns is None else list(columns)):
        for row in batch.to_pylist():
            number += 1
            yield Record(row, f"{path}: row {number}")
