"""The benchmark of big runs, small: pairs that are varied and the same every time, kills that lose nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.big.__main__ import growth, main
from benchmarks.big.pairs import Bank, Said, bank, measured, reports, write_pairs

FEW = 500


def test_pairs_are_varied_and_the_same_every_time(tmp_path: Path) -> None:
    known = bank()
    assert list(reports(known, 30, 1)) == list(reports(known, 30, 1)) != list(reports(known, 30, 2))
    write_pairs(tmp_path / "p.jsonl", FEW)
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [f"s{at:07d}" for at in range(FEW)]
    assert len({row["reference"] for row in rows}) == FEW
    assert 0.02 < sum(row["reference"] == row["prediction"] for row in rows) / FEW < 0.3
    found = measured(tmp_path / "p.jsonl")
    assert 130 < found["characters"] < 210, "as long as reports of chest radiographs"
    assert found["distinct_sentences"] > len(known.wordings)


def test_sides_and_sizes_vary() -> None:
    known = Bank((("Right lung nodule of 8 mm beside a left one.",),))
    assert known.text(Said(0, 0, False, 1.0)) == "Right lung nodule of 8 mm beside a left one."
    assert known.text(Said(0, 0, True, 1.5)) == "Left lung nodule of 12 mm beside a right one."


def test_a_small_run_is_killed_and_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sys.platform == "linux", "memory is read from /proc"
    assert main(["--pairs", str(FEW), "--folder", str(tmp_path)]) == 0
    figures = json.loads((tmp_path / str(FEW) / "figures.json").read_text())
    assert (figures["every_id_once_in_order"], figures["counts_add_up"]) == (True, True)
    assert figures["scored"] + figures["unscored"] == FEW
    assert figures["kills"] >= 1
    assert figures["peak_mb"] > 50
    said = capsys.readouterr().out
    assert "'same_bytes_without_kills': True" in said
    assert "stored" not in said


def test_growth_leaves_out_what_is_kept_of_each_report() -> None:
    small = {"peak_mb": 100, "bytes_of_counts": 0, "bytes_of_ids": 0}
    assert growth([small, {"peak_mb": 160, "bytes_of_counts": 30 << 20, "bytes_of_ids": 10 << 20}]) == 1.2
