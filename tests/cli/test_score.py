"""`cabs score`, `explain`, `compare`, `parse` and `demo` through real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FILES = ["errors.csv", "errors.jsonl", "reports.csv", "reports.parquet", "results.json"]


def content(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def test_a_run_prints_a_table_and_leaves_its_files(cabs, pairs: Path) -> None:
    done = cabs("score", pairs.name, "-o", "out/run", "--by", "organ", "--by", "section", "--cluster", "patient")
    assert done.returncode == 0, done.stderr
    assert "FC-F1" in done.stdout
    assert "good: organ" in done.stdout
    assert "bad: section" in done.stdout
    assert "|cluster:patient" in done.stdout
    assert "written to out/run" in done.stderr
    assert sorted(content(pairs.parent / "out" / "run")) == FILES
    again = cabs("compare", "out/run")
    assert again.returncode == 0, again.stderr
    assert "6 reports in common" in again.stdout
    explained = cabs("explain", pairs.name, "--id", "r0", "--system", "bad")
    assert "«1 nodule»" in explained.stdout
    assert "wrong side: reference right, prediction left" in explained.stdout


def test_hash_seeds_processes_and_workers_change_no_byte(cabs, pairs: Path) -> None:
    for seed, workers in (("1", "1"), ("2", "2")):
        done = cabs("score", pairs.name, "-o", f"run{workers}", "--workers", workers, "--json", seed=seed)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == json.loads((pairs.parent / f"run{workers}" / "results.json").read_text())
    assert content(pairs.parent / "run1") == content(pairs.parent / "run2")


def test_parse_writes_the_facts_that_score_reads(cabs, pairs: Path) -> None:
    folder = pairs.parent
    printed = cabs("parse", "-", stdin="A 9 mm nodule in the right upper lobe.")
    (line,) = printed.stdout.splitlines()
    value = json.loads(line)
    assert list(value) == ["id", "facts", "normal", "read", "issues"]
    assert value["facts"][0]["attributes"] == [{"kind": "size", "text": "9 mm", "value": [9.0], "unit": "mm"}]
    (folder / "refs.jsonl").write_text(
        '{"id": "a", "report": "A 9 mm nodule in the right upper lobe."}\n{"id": "b", "report": "zzz"}\n'
    )
    done = cabs("parse", "refs.jsonl", "-o", "facts.jsonl")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 of 2 reports were not read: b" in done.stderr
    lines = (folder / "facts.jsonl").read_text().splitlines()
    assert [json.loads(text)["id"] for text in lines] == ["a", "b"]
    assert json.loads(lines[0])["facts"] == value["facts"]
    scored = cabs("score", "facts.jsonl", "refs.jsonl", "--json", "--draws", "0")
    assert scored.returncode == 0, scored.stderr
    (system,) = json.loads(scored.stdout)["systems"]
    assert (system["scores"]["fc_f1"], [u["id"] for u in system["unscored"]]) == (1.0, ["b"])


def test_the_demo_runs_anywhere(cabs, tmp_path: Path) -> None:
    done = cabs("demo")
    assert done.returncode == 0, done.stderr
    assert sorted(content(tmp_path / "results" / "demo")) == FILES
    page = json.loads((tmp_path / "results" / "demo" / "results.json").read_text())
    careful, fluent = page["systems"]
    assert (careful["scored"], fluent["scored"]) == (20, 20)
    assert careful["scores"]["f1"] > fluent["scores"]["f1"] + 0.2
    assert careful["scores"]["cabs_score"] > fluent["scores"]["cabs_score"] + 0.2


def test_an_interrupt_leaves_nothing_half_written_and_can_be_resumed(cabs, tmp_path: Path, root: Path) -> None:
    report = "There is a {} mm nodule in the right upper lobe. Small left pleural effusion. No ascites."
    rows = [{"id": i, "gt": report.format(i % 90 + 1), "pred": report.format(i % 80 + 1)} for i in range(1500)]
    (tmp_path / "big.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    command = [
        sys.executable,
        "-m",
        "cabs",
        "score",
        "big.jsonl",
        "-o",
        "run",
        "--workers",
        "2",
        "--draws",
        "0",
    ]
    env = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / ".run.cabs-partial"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size > 20_000):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    what_is_kept = "what is done is kept in .run.cabs-partial; the same command goes on from there\n"
    assert err == f"{what_is_kept}interrupted\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == [journal.name, "big.jsonl"]
    resumed = cabs("score", "big.jsonl", "-o", "run", "--workers", "1", "--draws", "0")
    assert "going on with an unfinished run" in resumed.stderr
    assert json.loads((tmp_path / "run" / "results.json").read_text())["systems"][0]["scored"] == 1500
    assert sorted(p.name for p in tmp_path.iterdir()) == ["big.jsonl", "run"]


GOOD = '{"id": "a", "reference": "r", "prediction": "p"}\n'
BAD = {
    "json.jsonl": (GOOD + "\n{oops\n", "json.jsonl:3: not readable as JSON"),
    "missing.jsonl": (
        GOOD + '{"id": "b", "reference": "r"}\n',
        "missing.jsonl:2: field 'prediction' is missing",
    ),
    "types.jsonl": (
        '{"id": "a", "reference": 7, "prediction": "p"}',
        "types.jsonl:1: field 'reference' holds a number",
    ),
    "twice.jsonl": (GOOD + GOOD, "twice.jsonl:2: id 'a' comes twice"),
    "latin.csv": ("id,gt,pred\na,é,x\n".encode("latin-1"), "latin.csv:2: not UTF-8"),
    "nul.jsonl": (GOOD + '{"id": "\0"}\n', "nul.jsonl:2: holds a NUL byte"),
    "empty.jsonl": ("", "empty.jsonl: holds no pairs"),
    "report.pdf": ("%PDF", "report.pdf: files that end in '.pdf' are not understood"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named_and_nothing_is_written(cabs, tmp_path: Path, name: str) -> None:
    raw, message = BAD[name]
    (tmp_path / name).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    done = cabs("score", name, "-o", "run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {message}")
    assert "Traceback" not in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_unmatched_ids_are_named_or_allowed(cabs, tmp_path: Path) -> None:
    (tmp_path / "gt.csv").write_text("id,report\na,Small left pleural effusion.\nb,Small left pleural effusion.\n")
    (tmp_path / "out.jsonl").write_text('{"id": "a", "report": "Small left pleural effusion."}\n')
    done = cabs("score", "gt.csv", "out.jsonl")
    assert done.returncode == 1
    assert "out.jsonl: no prediction for 1 of 2 references: 'b'" in done.stderr
    assert "--allow-missing" in done.stderr
    done = cabs("score", "gt.csv", "out.jsonl", "--allow-missing", "--json", "--draws", "0")
    (system,) = json.loads(done.stdout)["systems"]
    assert (system["scores"]["recall"], system["silent"]) == (0.5, [{"id": "b", "reason": "missing"}])
    assert "1 prediction was missing and missed everything: b" in done.stderr


def test_places_that_cannot_be_written(cabs, pairs: Path) -> None:
    (pairs.parent / "taken").write_text("mine")
    for args in (
        ("score", pairs.name, "-o", "taken"),
        ("score", pairs.name, "-o", "taken/run"),
        ("parse", pairs.name, "-o", "no/f"),
    ):
        done = cabs(*args)
        assert done.returncode == 1, args
        assert "Traceback" not in done.stderr
    assert (pairs.parent / "taken").read_text() == "mine"
    assert sorted(p.name for p in pairs.parent.iterdir()) == ["pairs.jsonl", "taken"]


def test_usage_and_settings(cabs, pairs: Path) -> None:
    assert cabs("score").returncode == 2
    assert cabs("nonsense").returncode == 2
    done = cabs("score", pairs.name, "--scope", "page")
    assert done.returncode == 2
    assert done.stderr == "error: scope: 'page' is no scope\n  hint: one of: report, section\n"
    assert "is no setting" in cabs("score", pairs.name, "--set", "x=1").stderr
    assert "is no breakdown" in cabs("score", pairs.name, "--by", "ward").stderr
    assert cabs("--version").stdout.startswith("cabs ")
    done = cabs("explain", pairs.name, "--id", "r0")
    assert "several systems have report 'r0'" in done.stderr
    done = cabs("explain", pairs.name, "--id", "zz")
    assert "--id: ids there look like 'r0'" in done.stderr


def test_two_systems_are_compared(cabs, pairs: Path) -> None:
    one = pairs.parent / "one.jsonl"
    one.write_text("".join(line for line in pairs.read_text().splitlines(True) if '"good"' in line))
    for args, message in (
        (("one.jsonl",), "one.jsonl: holds one system alone ('good'), and two are compared"),
        (("one.jsonl", "--system-a", "good"), "holds one system alone"),
        ((pairs.name, "--system-a", "good"), "two systems are compared, and one is named"),
        ((pairs.name, "--system-a", "good", "--system-b", "good"), "two systems are compared, and one is named"),
    ):
        done = cabs("compare", *args)
        assert (done.returncode, done.stdout) == (1, ""), args
        assert message in done.stderr
        assert "hint: " in done.stderr
    assert cabs("compare", pairs.name, "--system-a", "bad", "--system-b", "good").returncode == 0


def test_what_stands_for_a_text_is_never_marked(cabs, pairs: Path) -> None:
    folder = pairs.parent
    facts = {"facts": [{"name": "pulmonary nodule", "mention": "nodule"}]}
    (folder / "r.jsonl").write_text('{"id": "a", "report": "A nodule in the right upper lobe."}\n')
    assert cabs("parse", "r.jsonl", "-o", "f.jsonl").returncode == 0
    (folder / "p.jsonl").write_text('{"id": "a", "prediction": "A nodule."}\n')
    (folder / "q.jsonl").write_text(json.dumps({"id": "a", "reference": facts, "prediction": "XXXX nodule ___."}))
    for args, shown in (
        (("f.jsonl", "p.jsonl"), "REFERENCE\n(facts without their text)\n"),
        (("p.jsonl", "--reference-facts", "f.jsonl"), "REFERENCE\n(no text)\n"),
        (("q.jsonl",), "REFERENCE\n(facts without their text)\n\nPREDICTION\nXXXX «1 nodule» ___.\n"),
    ):
        done = cabs("explain", *args, "--id", "a")
        assert done.returncode == 0, done.stderr
        assert shown in done.stdout


def test_an_output_that_cannot_take_the_data(pairs: Path, root: Path) -> None:
    command = f"{sys.executable} -m cabs score {pairs} --json --draws 0"
    for rest, code, message in (
        ("| head -c 10", None, ""),
        ("> /dev/full", 1, "error: standard output: can't be written: No space left on device\n"),
    ):
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command} {rest}"],
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert code in (None, done.returncode)
        assert done.stderr == message


def test_unread_reports_are_said_to_be_unread(cabs, tmp_path: Path) -> None:
    rows = [
        {
            "id": "de",
            "reference": "Kleiner Pleuraerguss links.",
            "prediction": "Small left pleural effusion.",
        },
        {"id": "x", "reference": "Small left pleural effusion.", "prediction": "qwertz uiop"},
    ]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    done = cabs("score", "p.jsonl", "--json", "--draws", "0")
    (system,) = json.loads(done.stdout)["systems"]
    assert (system["unscored"][0]["id"], system["silent"]) == ("de", [{"id": "x", "reason": "unread"}])
    assert (system["counts"]["unscored"], system["scores"]["recall"]) == (1, 0.0)
    assert "unscored: de" in done.stderr
    assert "not read and missed everything: x" in done.stderr
