"""`cabs score --task mcq` through a real process."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

OPTIONS = {"A": "Hiatal hernia", "B": "Atelectasis", "C": "Pleural effusion", "D": "Emphysema"}
INLINE = "What is seen? " + " ".join(f"{label}) {text}" for label, text in OPTIONS.items())


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {"question": INLINE, "options": OPTIONS, "answer": "D", "prediction": "<answer>D</answer>", "category": "what"},
        {"question": INLINE, "answer": "Emphysema", "prediction": "emphysema", "category": "what"},
        {"question": INLINE, "answer": "A", "prediction": "A or B", "category": "which"},
    ]
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps({"VolumeName": "v", **row}) + "\n" for row in rows))
    return path


def test_a_run_prints_a_table_and_leaves_its_files(cabs, questions: Path) -> None:
    done = cabs("score", questions.name, "--task", "mcq", "-o", "run")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["items", "answered", "correct", "chance", "accuracy"]
    assert [line.split()[:5] for line in lines[1:4]] == [
        ["all", "3", "2", "2", "0.250"], ["what", "2", "2", "2", "0.250"], ["which", "1", "0", "0", "0.250"],
    ]  # fmt: skip
    assert "|parser:mcq@1|task:mcq|ci:bca@0.95" in lines[-1]
    assert "all: 1 of 3 predictions name no one option (several options 1)" in done.stderr
    assert "written to run" in done.stderr
    folder = questions.parent / "run"
    assert sorted(p.name for p in folder.iterdir()) == ["items.csv", "results.json"]
    rows = list(csv.DictReader((folder / "items.csv").read_text().splitlines()))
    assert [(r["id"], r["answer"], r["chosen"], r["correct"], r["why"]) for r in rows] == [
        ("1", "D", "D", "true", ""), ("2", "D", "D", "true", ""), ("3", "A", "", "false", "several options"),
    ]  # fmt: skip
    assert rows[0]["answer_text"] == "Emphysema"
    compared = cabs("compare", "run")
    assert (compared.returncode, "this is a run of --task mcq" in compared.stderr) == (1, True)


def test_json_is_the_results_file_whatever_the_hash_seed(cabs, questions: Path) -> None:
    for seed in ("1", "2"):
        done = cabs("score", questions.name, "--task", "mcq", "--json", "-o", f"run{seed}", "--no-text", seed=seed)
        assert done.stdout == (questions.parent / f"run{seed}" / "results.json").read_text()
    first, second = (questions.parent / f"run{seed}" for seed in "12")
    assert [(first / n).read_bytes() == (second / n).read_bytes() for n in ("results.json", "items.csv")] == [True] * 2
    assert "mphysema" not in (first / "items.csv").read_text()
    page = json.loads((first / "results.json").read_text())
    assert (page["task"], page["systems"][0]["overall"]["correct"]) == ("mcq", 2)


def test_3d_rad_csv_parquet_and_standard_input(cabs, tmp_path: Path) -> None:
    header = "Task,VolumeName,Question,Answer,AnswerChoice,Choice A,Choice B,Choice C,Choice D,Prediction,Model\n"
    rows = ["4,v1,Seen?,No,B,Yes,No,-,-,No,m\n", "4,v2,Seen?,Yes,A,Yes,No,-,-,B,m\n", "1,v2,Size?,3 cm,-,-,-,-,-,x,m\n"]
    (tmp_path / "rad.csv").write_text(header + "".join(rows))
    done = cabs("score", "rad.csv", "--task", "mcq", "--cluster", "VolumeName", "--json")
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert (page["open_questions"], page["systems"][0]["system"]) == (1, "m")
    assert page["systems"][0]["overall"]["accuracy"]["value"] == 0.5
    assert "1 questions without options are left out" in done.stderr
    import pandas as pd

    frame = pd.DataFrame([{"question": "?", "options": OPTIONS, "answer": "D", "prediction": "D"}])
    frame.to_parquet(tmp_path / "q.parquet")
    assert " 1 " in cabs("score", "q.parquet", "--task", "mcq").stdout
    line = json.dumps({"question": INLINE, "answer": "D", "prediction": "D"})
    assert cabs("score", "-", "--task", "mcq", stdin=line).returncode == 0


MISTAKES = [
    (("--task", "mqc"), 2, "--task: 'mqc' is no task\n  hint: did you mean 'mcq'?"),
    (("--task", "vqa"), 2, "hint: one of: report, mcq"),
    (("--task", "mcq", "--scope", "section"), 2, "--scope: --task mcq does not take it"),
    (("--task", "mcq", "--by", "organ"), 2, "--by: --task mcq does not take it"),
    (("q.jsonl", "--task", "mcq"), 2, "FILE2: --task mcq does not take it"),
    (("--task", "mcq", "--cluster", "patient"), 1, "q.jsonl:1: there is no field 'patient'"),
    (("--task", "mcq", "-o", "q.jsonl"), 1, "q.jsonl: "),
]


@pytest.mark.parametrize(("args", "code", "message"), MISTAKES)
def test_mistakes_are_named(cabs, questions: Path, args: tuple[str, ...], code: int, message: str) -> None:
    before = questions.read_bytes()
    done = cabs("score", questions.name, *args)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert questions.read_bytes() == before


BAD = {
    '{"question": "?", "answer": "A", "prediction": "A"}': "b.jsonl:1: field 'options' is missing",
    '{"options": ["x", "y"], "answer": "C", "prediction": "A"}': "b.jsonl:1: field 'answer' is 'C', which is no option",
    '{"options": ["x", "y"], "answer": "A"}': "b.jsonl:1: field 'prediction' is missing",
    '{"options": ["x", "y"], "answer": "A", "prediction": []}': "b.jsonl:1: field 'prediction' holds a list",
    "": "b.jsonl: holds no questions with options",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_named_and_nothing_is_written(cabs, tmp_path: Path, line: str) -> None:
    (tmp_path / "b.jsonl").write_text(line)
    done = cabs("score", "b.jsonl", "--task", "mcq", "-o", "run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {BAD[line]}")
    assert [p.name for p in tmp_path.iterdir()] == ["b.jsonl"]
