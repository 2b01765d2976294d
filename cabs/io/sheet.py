"""Tables for people: CSV that a spreadsheet program opens, or .xlsx. No cell of them is a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812  # "error" says nothing

from cabs.errors import InputError, MissingExtraError, OutputError
from cabs.io import csvfile
from cabs.io.formula import harmless, restored
from cabs.io.lines import opened
from cabs.io.output import check_ending, file_output, text_output
from cabs.io.record import Record
from cabs.io.tables import Cell

BOM = "\ufeff"
"""Tells spreadsheet programs that a CSV file is UTF-8."""

XLSX = ".xlsx"
WRITTEN = (".csv", XLSX)
ENDINGS = (*WRITTEN, ".tsv")
"""The endings of sheets that are written here, and of those that are read."""

INSTALL = "pip install 'cabs[sheet]' (in a checkout: pip install '.[sheet]'), or name the file .csv"
AS_CSV = "name it .csv"
LARGEST = 1 << 30
"""Bytes that a workbook may have when it is unpacked."""
DAMAGED = (
    BadZipFile, ZlibError, OSError, EOFError, RuntimeError, LookupError, ValueError, TypeError, AttributeError,
    SyntaxError, ArithmeticError,
)  # fmt: skip
"""What openpyxl and what it stands on raise for a workbook that is damaged, each part in its own way."""
LONGEST_CELL = 32_767
"""Characters that a cell of .xlsx can hold."""


def write_sheet(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    choices: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write a table under a header; by the ending of its name as .xlsx, else as CSV (UTF-8 with a byte order mark).

    `choices`: the values that a column takes; .xlsx offers them in a list.

    Raises:
        MissingExtraError: .xlsx without openpyxl; OutputError: the place can't be written, its name has another ending,
            or a cell holds what .xlsx can't hold.
    """
    check_ending(path, WRITTEN, "a sheet")
    if path.suffix.lower() == XLSX:
        _write_xlsx(path, columns, rows, choices or {})
        return
    with text_output(path) as handle:
        handle.write(BOM)
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([harmless(cell) for cell in row] for row in rows)


def _write_xlsx(
    path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]], choices: Mapping[str, Sequence[str]]
) -> None:
    book = workbooks(path).Workbook()
    page = book.active
    page.append(list(columns))
    for number, row in enumerate(rows, 2):
        for column, value in enumerate(row, 1):
            _set(page.cell(number, column), value, path)
    page.freeze_panes = "A2"
    for name, values in choices.items():
        _offer(page, columns.index(name) + 1, values, path)
    with file_output(path) as beside:
        book.save(beside)


def read_sheet(path: Path) -> Iterator[Record]:
    """The rows of a sheet as text by column, whichever program has saved it; blank rows are skipped.

    Raises:
        InputError: it can't be read; MissingExtraError: .xlsx without openpyxl.
    """
    if path.suffix.lower() not in ENDINGS and path.is_file():
        hint = f"save it as {', '.join(ENDINGS)}"
        raise InputError(f"no sheet is read from a file that ends in {path.suffix!r}", place=str(path), hint=hint)
    if path.suffix.lower() != XLSX:
        for record in csvfile.records(path):
            yield Record({name: restored(str(value)) for name, value in record.fields.items()}, record.place)
        return
    with opened(path) as handle:
        try:
            _check_size(handle, path)
            book = workbooks(path).load_workbook(handle, read_only=True, data_only=True)
            yield from _rows(book.worksheets[0].iter_rows(values_only=True), path)
        except DAMAGED as error:
            raise InputError(f"not readable as {XLSX}: {error}", place=str(path)) from None


def _check_size(handle: BinaryIO, path: Path) -> None:
    """See that a workbook is none that fills the memory when it is unpacked."""
    with ZipFile(handle) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > LARGEST:
        raise InputError(f"has {size >> 20} MiB when it is unpacked", place=str(path), hint="save the sheet as .csv")
    handle.seek(0)


def _rows(rows: Iterable[Sequence[Any]], path: Path) -> Iterator[Record]:
    names: list[str] = []
    for number, cells in enumerate(rows, 1):
        texts = ["" if cell is None else str(cell) for cell in cells]
        if not names:
            names = [text.strip() for text in texts]
        elif any(text.strip() for text in texts):
            yield Record(dict(zip(names, texts, strict=False)), f"{path}: row {number}")


def _set(cell: Any, value: Cell, path: Path) -> None:
    if isinstance(value, str) and len(value) > LONGEST_CELL:
        raise OutputError(f"a cell of {len(value)} characters is too long for {XLSX}", place=str(path), hint=AS_CSV)
    try:
        cell.value = value
    except workbooks(path).utils.exceptions.IllegalCharacterError:
        raise OutputError(
            f"a cell holds a control character, which {XLSX} can't", place=str(path), hint=AS_CSV
        ) from None
    if isinstance(value, str):
        cell.data_type = "s"  # also where it starts like a formula


def _offer(page: Any, column: int, values: Sequence[str], path: Path) -> None:
    rule = workbooks(path).worksheet.datavalidation.DataValidation(
        type="list", formula1=f'"{",".join(values)}"', allow_blank=True
    )
    page.add_data_validation(rule)
    letter = page.cell(1, column).column_letter
    rule.add(f"{letter}2:{letter}{max(2, page.max_row)}")


def workbooks(path: Path) -> Any:
    """The module openpyxl.

    Raises:
        MissingExtraError: it isn't installed.
    """
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(f"{XLSX} files need openpyxl", place=str(path), hint=INSTALL) from None
    return openpyxl
