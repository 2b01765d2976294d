"""Sheets that spreadsheet programs open: no formula runs, nothing is lost on the way."""

from __future__ import annotations

import sys
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError, MissingExtraError, OutputError
from cabs.io.formula import FORMULA, harmless, restored
from cabs.io.sheet import read_sheet, write_sheet

CELLS = ["=1+1", "+x", "-5 mm", "@a", "'quoted", "plain", 'två, "ord"', "a\nb", "＝1", "", "''twice"]


@pytest.mark.parametrize("name", ["s.csv", "s.xlsx"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_sheet(path, ["a", "b"], [[cell, n] for n, cell in enumerate(CELLS)], {"a": ["x", "y"]})
    records = list(read_sheet(path))
    assert [r.fields["a"] for r in records] == CELLS
    assert [r.fields["b"] for r in records] == [str(n) for n in range(len(CELLS))]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.csv", ["a"], [[cell] for cell in CELLS])
    raw = (tmp_path / "s.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    lines = raw.decode("utf-8-sig").split("\n")
    assert not any(line.lstrip('"').startswith(FORMULA) for line in lines if line)
    write_sheet(tmp_path / "s.xlsx", ["a"], [[cell] for cell in CELLS])
    page = openpyxl.load_workbook(tmp_path / "s.xlsx").active
    assert page is not None
    assert {cell.data_type for row in page.iter_rows(min_row=2) for cell in row} <= {"s", "inlineStr"}
    assert page["A2"].value == "=1+1"


@given(st.text(max_size=8))
def test_harmless_cells_come_back(text: str) -> None:
    safe = harmless(text)
    assert isinstance(safe, str)
    assert not safe.startswith(FORMULA)
    assert restored(safe) == text


def test_a_sheet_saved_with_semicolons_is_read(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("\ufeffa;b\n1;'=2\n", encoding="utf-8")
    assert [dict(r.fields) for r in read_sheet(tmp_path / "s.csv")] == [{"a": "1", "b": "=2"}]


def test_what_xlsx_cannot_hold_is_said(tmp_path: Path) -> None:
    path = tmp_path / "s.xlsx"
    for cell in ("a\x0bb", "x" * 40_000):
        with pytest.raises(OutputError, match="cell"):
            write_sheet(path, ["a"], [[cell]])
    assert list(tmp_path.iterdir()) == []
    path.write_text("no workbook")
    with pytest.raises(InputError, match="not readable"):
        list(read_sheet(path))


def test_without_openpyxl_the_message_helps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtraError) as error:
        write_sheet(tmp_path / "s.xlsx", ["a"], [["b"]])
    assert "cabs[sheet]" in error.value.hint
    assert ".csv" in error.value.hint
