"""`cabs score --task tumor` through real processes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

ROWS = [
    {
        "id": "1", "organ": "liver", "reference_key_slice": 35,
        "reference": "There is a 1.5 cm hypodense mass in segment VI of the liver.",
        "prediction": "<findings>Liver: 1.6 cm hypodense lesion in segment VI. The key lesion is in image "
        "<key_slice>34</key_slice>, <bbox>[10, 20, 30, 40]</bbox>.</findings><impression>Liver tumor.</impression>",
    },
    {"id": "2", "organ": "liver", "reference": "Simple hepatic cyst.", "prediction": "The liver is unremarkable."},
    {
        "id": "3", "organ": "pancreas", "reference_key_slice": 50, "key_slice": "x",
        "reference": "4 cm hypoenhancing mass in the pancreatic head.", "prediction": "The pancreas is normal.",
    },
    {"id": "4", "organ": "pancreas", "reference": "The pancreas is normal.", "prediction": "3 cm pancreatic mass."},
    {"id": "5", "organ": "pancreas", "reference": "Lorem ipsum.", "prediction": "The pancreas is normal."},
]  # fmt: skip


@pytest.fixture
def tumors(tmp_path: Path) -> Path:
    path = tmp_path / "tumors.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_a_run_prints_a_table_and_leaves_its_files(cabs, tumors: Path) -> None:
    done = cabs("score", tumors.name, "--task", "tumor", "-o", "out", "--draws", "50")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0].split() == ["liver", "pancreas", "mean", "pooled"]
    assert "B-Acc" in done.stdout
    assert "|task:tumor|group:tumor@" in done.stdout
    assert "1 pair is unscored: 5 (reference unread)" in done.stderr
    folder = tumors.parent / "out"
    assert sorted(path.name for path in folder.iterdir()) == ["reports.csv", "results.json"]
    rows = list(csv.DictReader((folder / "reports.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert (rows[0]["size_group"], rows[0]["k_hit"], rows[0]["bbox"]) == ("small", "true", "10 20 30 40")
    assert rows[2]["key_slice_problem"] == "'x' is no whole number"
    assert rows[4]["status"] == "unscored"
    (system,) = json.loads((folder / "results.json").read_text())["systems"]
    assert system["organs"]["liver"]["scores"]["balanced_accuracy"] == 1.0
    assert system["organs"]["pancreas"]["scores"]["balanced_accuracy"] == 0.0
    assert system["mean"]["scores"]["balanced_accuracy"] == 0.5
    assert system["pooled"]["counts"]["present"] == 2
    assert system["organs"]["pancreas"]["scores"]["sensitivity_small"] is None


def test_no_text_keeps_every_word_out(cabs, tumors: Path) -> None:
    done = cabs("score", tumors.name, "--task", "tumor", "-o", "out", "--draws", "0", "--no-text")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tumors.parent / "out" / "reports.csv").read_text().splitlines()))
    assert [row["key_slice_problem"] for row in rows] == ["", "", "invalid", "", ""]


def test_workers_and_hash_seeds_change_no_byte(cabs, tumors: Path) -> None:
    args = ("score", tumors.name, "--task", "tumor", "--json", "--draws", "20")
    first = cabs(*args, "--workers", "1", seed="1")
    second = cabs(*args, "--workers", "2", seed="2")
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["task"] == "tumor"


def test_options_by_name(cabs, tumors: Path) -> None:
    chosen = ("--set", "organ_column=none", "--set", "small_mm=10", "--set", "over=reference")
    done = cabs("score", tumors.name, "--task", "tumor", "--json", "--draws", "0", *chosen)
    assert done.returncode == 0, done.stderr
    (system,) = json.loads(done.stdout)["systems"]
    assert list(system["organs"]) == ["any"]
    assert system["pooled"]["counts"]["large"] == 2
    assert system["pooled"]["scores"]["location_acc"] == 0.5


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--task", "tumors"), "'tumors' is no task"),
        (("--task", "tumor", "--by", "organ"), "--by: --task tumor does not take it"),
        (("--task", "tumor", "--scope", "section"), "--scope: --task tumor does not take it"),
        (("--task", "tumor", "--match", "hierarchical"), "--match: --task tumor does not take it"),
        (("--task", "tumor", "--set", "smal_mm=3"), "did you mean 'small_mm'?"),
        (("--task", "tumor", "--set", "small_mm"), "'small_mm' is no setting"),
        (("--task", "tumor", "--set", "organs=livr"), "did you mean 'liver'?"),
    ],
)
def test_wrong_usage_is_told(cabs, tumors: Path, args: tuple[str, ...], said: str) -> None:
    done = cabs("score", tumors.name, *args, "-o", "out")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tumors.parent / "out").exists()


def test_a_wrong_column_is_told_with_its_line(cabs, tumors: Path) -> None:
    tumors.write_text(json.dumps({**ROWS[0], "organ": "spoon"}) + "\n")
    done = cabs("score", tumors.name, "--task", "tumor", "-o", "out")
    assert done.returncode == 1
    assert "tumors.jsonl:1: 'spoon' is no organ" in done.stderr
    assert not (tumors.parent / "out").exists()
