"""Parquet, read in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cabs.errors import InputError, MissingExtraError
from cabs.io.lines import opened
from cabs.io.record import Record
from cabs.io.tables import Column

BATCH = 512
"""Rows in memory at a time."""
LARGE, SQUEEZED = 1 << 30, 500
"""Bytes of a column of a row group that may be made of any number; more only of a five hundredth."""
VALUES = 50_000_000
"""Values that a column of a row group may hold, its lists taken apart. A file of a few bytes can say that one list has
billions."""


def batches(path: Path, columns: Sequence[str] | None, size: int = BATCH) -> Iterator[Any]:
    """A Parquet file, or these columns of it as far as it has them, as record batches of Arrow of so many rows at most.

    Raises:
        InputError: the file isn't Parquet, is damaged, or would fill the memory.
    """
    file = _library().ParquetFile
    with opened(path) as handle:
        with readable(path):
            source = file(handle)
            _check_directory(source)
            _check_sizes(source.metadata, path)
            rest = source.iter_batches(batch_size=size, columns=columns)
        while True:
            with readable(path):
                batch = next(rest, None)
            if batch is None:
                return
            yield batch


def records(path: Path, columns: Sequence[str] | None = None) -> Iterator[Record]:
    """The rows of a Parquet file, or these columns of them as far as it has them; the place is the file and the row,
    counted from 1.

    Raises:
        InputError: see `batches`; or a value is none that Python has.
    """
    number = 0
    for batch in batches(path, None if columns is None else list(columns)):
        with readable(path):
            rows = batch.to_pylist()
        for row in rows:
            number += 1
            yield Record(row, f"{path}: row {number}")


def check_columns(path: Path, columns: Sequence[Column], hint: str) -> None:
    """See that a Parquet file has these columns, and that they hold what they should.

    Raises:
        InputError: one is missing or holds something else; see `batches` too.
    """
    library = _library()
    with opened(path) as handle, readable(path):
        schema = library.ParquetFile(handle).schema_arrow
    for name, kind in columns:
        if schema.get_field_index(name) < 0:
            what = "comes more than once" if name in schema.names else "is missing"
            raise InputError(f"column {name!r} {what}", place=str(path), hint=hint)
        found = schema.field(name).type
        if not _holds(found, kind):
            raise InputError(f"column {name!r} holds {found}, {kind} expected", place=str(path), hint=hint)


def _holds(found: Any, kind: str) -> bool:
    """Whether a type of Arrow is one of those that a program may write for a kind of column; null throughout is any."""
    import pyarrow.types as types

    if types.is_dictionary(found):
        found = found.value_type
    known = {
        "text": (types.is_string, types.is_large_string),
        "int": (types.is_integer,),
        "float": (types.is_floating, types.is_integer),
        "bool": (types.is_boolean,),
    }
    return any(holds(found) for holds in (types.is_null, *known[kind]))


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns what Arrow says about a file into an `InputError`. It has an exception of its own, and lets through those
    of the system, of texts that are no UTF-8, and of days and numbers that Python does not have."""
    from pyarrow import ArrowException

    try:
        yield
    except (ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"not readable as Parquet: {first}", place=str(path)) from None


def _check_directory(source: Any) -> None:
    """Have Arrow begin with every row group and read no row: what is wrong with the description of a column is an error
    then. Python's own view of such a column, which `_check_sizes` takes, ends the process instead."""
    for group in range(source.metadata.num_row_groups):
        for _ in source.reader.iter_batches(0, [group], use_threads=False):  # the public one refuses batches of nothing
            pass


def _check_sizes(metadata: Any, path: Path) -> None:
    """See that nothing in a file is blown up: what its own directory says of it."""
    for group in range(metadata.num_row_groups):
        rows = metadata.row_group(group)
        for number in range(rows.num_columns):
            column = rows.column(number)
            size, held = column.total_uncompressed_size, max(1, column.total_compressed_size)
            if column.num_values > VALUES or (size > LARGE and size > SQUEEZED * held):
                what = f"{column.num_values} values, {size} bytes of {held}"
                message = f"column {column.path_in_schema!r} would fill the memory ({what})"
                raise InputError(message, place=str(path), hint="write it anew in smaller row groups if it is sound")


def _library() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(f"Parquet needs pyarrow ({error})", hint="pip install pyarrow") from None
    return pyarrow.parquet
