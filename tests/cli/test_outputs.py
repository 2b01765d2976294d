"""Nothing that a command reads, and no work of people, is written over."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from cabs.io.formula import FORMULA, restored

PAIR = {"id": "a", "reference": "Small left pleural effusion.", "prediction": "The liver is enlarged."}

COMMANDS = {
    "parse": ("parse", "in.jsonl"),
    "coverage": ("ontology", "coverage", "in.csv"),
    "sheet": ("audit", "sheet", "in.csv"),
    "sheet, texts": ("audit", "sheet", "facts.jsonl", "--reports", "in.csv"),
    "read, texts": ("audit", "read", "sheet.csv", "--reports", "in.jsonl"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.jsonl").write_text(json.dumps(PAIR))
    with (tmp_path / "in.csv").open("w") as handle:
        writer = csv.DictWriter(handle, PAIR)
        writer.writeheader()
        writer.writerow(PAIR)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_input_is_never_written_over(cabs, folder: Path, name: str) -> None:
    args = COMMANDS[name]
    given = next(arg for arg in reversed(args) if arg.startswith("in."))
    (folder / f"link{Path(given).suffix}").symlink_to(given)
    before = content(folder)
    for output in (given, f"./{given}", str(folder / given), f"link{Path(given).suffix}"):
        done = cabs(*args, "-o", output)
        assert (done.returncode, done.stdout) == (1, ""), output
        assert "is read by this command" in done.stderr
        assert content(folder) == before


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("errors.jsonl", ("score", "errors.jsonl")),
        ("reports.csv", ("score", "reports.csv", "in.jsonl")),
        ("errors.jsonl", ("score", "in.jsonl", "--reference-facts", "errors.jsonl")),
    ],
)
def test_nor_is_one_in_a_folder_of_results(cabs, folder: Path, name: str, args: tuple[str, ...]) -> None:
    (folder / f"in{Path(name).suffix}").rename(folder / name)
    (folder / "in.jsonl").write_text(json.dumps(PAIR))
    before = content(folder)
    done = cabs(*args, "-o", ".")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error: {name}: is read by this command" in done.stderr
    assert content(folder) == before


def test_a_file_of_the_ontology_is_read_too(cabs, folder: Path) -> None:
    own = folder / "own.yaml"
    own.write_text("entities: []\n")
    done = cabs("parse", "in.jsonl", "-o", "own.yaml", "--ontology-extra", ".")
    assert done.returncode == 1
    assert "is read by this command" in done.stderr
    assert own.read_text() == "entities: []\n"


def rated(path: Path) -> None:
    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    rows[0]["comment"] = "seen"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_a_rated_sheet_is_replaced_only_if_asked(cabs, folder: Path) -> None:
    make = ("audit", "sheet", "in.jsonl", "-o", "sheet.csv")
    assert cabs(*make).returncode == 0
    assert cabs(*make).returncode == 0
    rated(folder / "sheet.csv")
    before = content(folder)
    for args in (make, ("ontology", "coverage", "in.jsonl", "-o", "sheet.csv")):
        done = cabs(*args)
        assert (done.returncode, done.stdout) == (1, "")
        assert "error: sheet.csv: holds a sheet with 1 rated rows" in done.stderr
        assert content(folder) == before
    assert "--overwrite" in cabs(*make).stderr
    assert cabs(*make, "--overwrite").returncode == 0
    assert content(folder) != before


def test_the_key_of_another_sheet_is_replaced_only_if_asked(cabs, folder: Path) -> None:
    make = ("audit", "sheet", "in.jsonl", "-o", "sheet.csv", "--blind")
    assert cabs(*make).returncode == 0
    assert cabs(*make).returncode == 0
    (folder / "in.jsonl").write_text(json.dumps({**PAIR, "id": "b"}))
    before = content(folder)
    done = cabs(*make)
    assert (done.returncode, done.stdout) == (1, "")
    assert "sheet.key.csv: holds the key of another sheet" in done.stderr
    assert content(folder) == before
    assert cabs(*make, "--overwrite").returncode == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("parse", "in.jsonl", "-o", "facts.csv"), "facts.csv: the name ends in '.csv'"),
        (("audit", "sheet", "in.jsonl", "-o", "sheet"), "sheet: the name has no ending"),
        (("audit", "sheet", "in.jsonl", "-o", "sheet.xls"), "sheet.xls: the name ends in '.xls'"),
        (("ontology", "coverage", "in.jsonl", "-o", "out.tsv"), "out.tsv: the name ends in '.tsv'"),
        (("audit", "read", "s.csv", "--reports", "in.jsonl", "-o", "f.xlsx"), "f.xlsx: the name ends in '.xlsx'"),
    ],
)
def test_a_name_says_what_is_in_the_file(cabs, folder: Path, args: tuple[str, ...], message: str) -> None:
    done = cabs(*args)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error: {message}" in done.stderr
    assert "hint: " in done.stderr
    assert sorted(content(folder)) == ["in.csv", "in.jsonl"]


FORMULAS = ("=cmd|'/c calc'!A1", "+1", "-1 mm", "@SUM(1)", "\t=1")


def test_no_csv_holds_a_formula_where_that_is_asked_for(cabs, tmp_path: Path) -> None:
    """Every CSV file of a run, its header too; without the flag the texts are what they were."""
    rows = [
        {"id": text, "system": f"={n}", "cluster": "+p", "reference": text, "prediction": "Nodule.", "=x": "@y"}
        for n, text in enumerate(FORMULAS)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cabs("score", "in.jsonl", "-o", "plain", "--draws", "0").returncode == 0
    assert cabs("--harmless-csv", "score", "in.jsonl", "-o", "safe", "--draws", "0", "--workers", "2").returncode == 0
    assert {cell for cell in cells(tmp_path / "plain") if cell.startswith(FORMULAS)} >= set(FORMULAS)
    assert not [cell for cell in cells(tmp_path / "safe") if cell.startswith(FORMULA)]
    assert {restored(cell) for cell in cells(tmp_path / "safe")} == set(cells(tmp_path / "plain"))


def cells(folder: Path) -> list[str]:
    found: list[str] = []
    for path in folder.glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as handle:
            found += [cell for row in csv.reader(handle) for cell in row]
    return found
