"""Tables of rows with fixed columns, written row by row as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from cabs.errors import MissingExtraError
from cabs.io.formula import as_asked
from cabs.io.jsontext import json_line
from cabs.io.output import writing

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Cell]
Column: TypeAlias = tuple[str, Literal["text", "int", "float", "bool"]]

ROW_GROUP = 1000
"""Rows that a Parquet table holds in memory until they are written."""


class Table(Protocol):
    """What rows are written to."""

    def add(self, row: Row) -> None:
        """Write one row; a column that it lacks is null."""

    def close(self) -> None:
        """Finish the file."""


class CsvTable:
    """A CSV file with a header; null is an empty cell, numbers are written in full."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self.path, self.names = path, [name for name, _ in columns]
        with writing(path):
            self.handle = path.open("w", encoding="utf-8", newline="")
        self.writer = csv.writer(self.handle, lineterminator="\n")
        self._write([_cell(name) for name in self.names])

    def _write(self, cells: Sequence[Cell]) -> None:
        with writing(self.path):
            self.writer.writerow(cells)

    def add(self, row: Row) -> None:
        """Write one row."""
        self._write([_cell(row.get(name)) for name in self.names])

    def add_text(self, text: bytes) -> None:
        """Write rows that `csv_rows` made."""
        with writing(self.path):
            self.handle.write(text.decode())

    def close(self) -> None:
        """Finish the file."""
        with writing(self.path):
            self.handle.close()


def csv_rows(columns: Sequence[Column], rows: Iterable[Row]) -> bytes:
    """Rows of a CSV file, without a header."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(row.get(name)) for name, _ in columns] for row in rows)
    return text.getvalue().encode()


def write_csv(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write a whole CSV file, its header too where there are no rows.

    Raises:
        OutputError: it can't be written.
    """
    with closing(CsvTable(path, columns)) as table:
        for row in rows:
            table.add(row)


def _cell(value: Cell) -> Cell:
    """Booleans as JSON writes them; Python's own words are no one else's. Texts as they are, or harmless if
    asked for."""
    return str(value).lower() if isinstance(value, bool) else as_asked(value)


class ParquetTable:
    """A Parquet file; columns keep their type also where they are null throughout."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self.arrow = _arrow()
        import pyarrow.parquet as pq

        self.path, self.schema = path, arrow_schema(columns)
        self.waiting: list[Any] = []
        self.rows = 0
        with writing(path):
            self.writer = pq.ParquetWriter(path, self.schema)

    def add(self, row: Row) -> None:
        """Write one row."""
        self.waiting.append(row)
        self.rows += 1
        if self.rows >= ROW_GROUP:
            self._flush()

    def add_batch(self, content: bytes) -> None:
        """Write rows that `arrow_rows` made; not beside `add`."""
        batch = self.arrow.ipc.read_record_batch(self.arrow.py_buffer(content), self.schema)
        self.waiting.append(batch)
        self.rows += batch.num_rows
        while self.rows >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self.waiting or not self.writer.is_open:
            return
        rest = None
        if isinstance(self.waiting[0], Mapping):
            table = self.arrow.Table.from_pylist(self.waiting, schema=self.schema)
        else:  # one piece for each column: where they were cut must not show in the file
            table = self.arrow.Table.from_batches(self.waiting, schema=self.schema)
            table, rest = table.slice(0, ROW_GROUP).combine_chunks(), table.slice(ROW_GROUP)
        with writing(self.path):
            self.writer.write_table(table)
        self.waiting = rest.to_batches() if rest else []
        self.rows -= table.num_rows

    def close(self) -> None:
        """Finish the file."""
        self._flush()
        with writing(self.path):
            self.writer.close()


def arrow_schema(columns: Sequence[Column]) -> Any:
    """The columns as Arrow has them."""
    pa = _arrow()
    types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    return pa.schema([(name, types[kind]) for name, kind in columns])


def arrow_rows(columns: Sequence[Column], rows: Sequence[Row]) -> bytes:
    """Rows for `ParquetTable.add_batch`: one record batch of Arrow, without its schema."""
    pa = _arrow()
    batch = pa.RecordBatch.from_pylist(list(rows), schema=arrow_schema(columns))
    return bytes(batch.serialize())


def _arrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError(f"Parquet needs pyarrow ({error})", hint="pip install pyarrow") from None
    return pa


class JsonlTable:
    """A JSON Lines file of the same rows; text that holds JSON stays text."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self.path, self.names = path, [name for name, _ in columns]
        with writing(path):
            self.handle = path.open("w", encoding="utf-8", newline="\n")

    def add(self, row: Row) -> None:
        """Write one row."""
        with writing(self.path):
            self.handle.write(json_line({name: row.get(name) for name in self.names}) + "\n")

    def close(self) -> None:
        """Finish the file."""
        with writing(self.path):
            self.handle.close()
