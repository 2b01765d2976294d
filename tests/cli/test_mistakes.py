"""What a user does wrong is named: exit code, place, and what to do; one line an item, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PAIR = '{"id": "a", "reference": "Small left pleural effusion.", "prediction": "The liver is enlarged."}\n'
LONG = "x" * 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.jsonl").write_text(PAIR)
    return tmp_path


USAGE = [
    ("score",),
    ("nonsense",),
    ("score", "p.jsonl", "--nonsense"),
    ("score", "p.jsonl", "--draws", "-1"),
    ("score", "p.jsonl", "--draws", "many"),
    ("score", "p.jsonl", "--scope", "page"),
    ("score", "p.jsonl", "--match", "loosely"),
    ("score", "p.jsonl", "--by", "ward"),
    ("score", "p.jsonl", "--set", "x=1"),
    ("score", "p.jsonl", "--set", "kinds=tumours"),
    ("score", "-", "-"),
    ("explain", "p.jsonl"),
    ("compare",),
    ("audit",),
    ("audit", "sheet", "p.jsonl"),
    ("audit", "read", "s.csv"),
    ("audit", "agreement", "p.jsonl"),
    ("ontology", "resolve"),
    ("ontology", "search", "x", "--type", "sign"),
    ("ontology", "coverage", "p.jsonl", "--role", "verb"),
]


@pytest.mark.parametrize("args", USAGE, ids=" ".join)
def test_wrong_usage_gives_2(cabs, folder: Path, args: tuple[str, ...]) -> None:
    done = cabs(*args)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


PLACES = [
    (("parse", "."), ".: this is a folder, not a file"),
    (("score", "."), ".: this is a folder, not a file"),
    (("score", "none"), "none: no such file"),
    (("score", "p.jsonl", "--reference-facts", "none"), "none: no such file"),
    (("compare", "none"), "none: no such file"),
    (("audit", "read", ".", "--reports", "p.jsonl"), ".: this is a folder, not a file"),
    (("score", f"{LONG}.jsonl"), "File name too long"),
    (("score", "p.jsonl", "-o", LONG), "File name too long"),
    (("parse", "p.jsonl", "-o", f"{LONG}.jsonl"), "File name too long"),
    (("audit", "sheet", "p.jsonl", "-o", f"{LONG}.csv"), "File name too long"),
    (("ontology", "resolve", "x", "--ontology", LONG), "File name too long"),
    (("parse", "p.jsonl", "-o", "."), ".: this is a folder, a file is expected"),
    (("score", "p.jsonl", "-o", "p.jsonl"), "p.jsonl: this is a file, a folder is expected"),
]


@pytest.mark.parametrize(("args", "message"), PLACES, ids=[" ".join(args)[:40] for args, _ in PLACES])
def test_places_that_cannot_be_used(cabs, folder: Path, args: tuple[str, ...], message: str) -> None:
    done = cabs(*args)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert [p.name for p in folder.iterdir()] == ["p.jsonl"]


ENDINGS = [
    ("parse", "r", PAIR, "this looks like JSON Lines, not like a report", "name it .jsonl"),
    ("parse", "r.docx", PAIR, "files that end in '.docx' are not understood", ".txt"),
    ("score", "r", PAIR, "the file's name has no ending", ".jsonl"),
    ("score", "r.XLS", PAIR, "files that end in '.XLS' are not understood", "save the sheet as .csv"),
    ("score", "r.jsonl.gz", PAIR, "files that end in '.gz' are not understood", "unpack it first"),
    ("parse", "r.txt", " \n\n", "r.txt: holds no reports", "the file holds blank lines alone"),
    ("score", "r.csv", "\nid,gt,pred\n", "r.csv:2: holds no pairs", "a header, and no row below it"),
    ("score", "r.json", "[]", "r.json:1: holds no pairs", "an empty list"),
    ("score", "r.json", "null", "r.json:1: a list or an object of records expected, found null", ""),
    ("score", "r.jsonl", "null", "r.jsonl:1: a JSON object expected, found null", "each line holds one JSON object"),
    ("score", "r.jsonl", "", "r.jsonl: holds no pairs", "the file is empty"),
]


@pytest.mark.parametrize(("command", "name", "content", "message", "hint"), ENDINGS)
def test_endings_and_empty_files(
    cabs, tmp_path: Path, command: str, name: str, content: str, message: str, hint: str
) -> None:
    (tmp_path / name).write_text(content)
    done = cabs(command, name)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert hint in done.stderr


def test_endings_in_capitals_lines_under_json_and_pipes_are_understood(cabs, tmp_path: Path, root: Path) -> None:
    (tmp_path / "P.JSONL").write_text(PAIR)
    (tmp_path / "p.json").write_text(PAIR + PAIR.replace('"a"', '"b"'))
    (tmp_path / "P.CSV").write_text("id,gt,pred\na,Small left pleural effusion.,x\n")
    for name, n in (("P.JSONL", 1), ("p.json", 2), ("P.CSV", 1)):
        done = cabs("score", name, "--json", "--draws", "0")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["systems"][0]["scored"] == n
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m cabs parse <(echo Small left pleural effusion.)"],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [fact["entity"] for fact in json.loads(done.stdout)["facts"]] == ["pleural_effusion"], done.stderr


def test_control_characters_reach_no_terminal(cabs, tmp_path: Path) -> None:
    id, system = "a\nb\x1b[31m", "s\x07\n"
    rows = [{"id": id, "system": system, "reference": r, "prediction": "Liver\x1b is enlarged."} for r in ("zz",)]
    rows.append({**rows[0], "id": "c", "reference": "Small \x1bleft pleural effusion."})
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    outs = [
        cabs("score", "p.jsonl", "--draws", "0", "-o", "run"),
        cabs("explain", "p.jsonl", "--id", "c"),
        cabs("explain", "p.jsonl", "--id", f"{id} "),
        cabs("score", "p.jsonl", "p.jsonl", "--scope", "\x1b"),
    ]
    assert [done.returncode for done in outs] == [0, 0, 1, 2]
    shown = "".join(done.stdout + done.stderr for done in outs)
    assert not {c for c in shown if not c.isprintable()} - {"\n"}
    assert "1 pair is unscored: a\\nb\\x1b[31m (" in outs[0].stderr
    (row, _) = [json.loads(line) for line in cabs("parse", "p.jsonl").stdout.splitlines()]
    assert row["id"] == id


def interrupted(folder: Path, root: Path, *args: str) -> tuple[int, str]:
    env = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "cabs", *args]
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(folder.iterdir())) < 2:
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err.decode()


def test_an_interrupted_parse_says_so_in_one_line(tmp_path: Path, root: Path) -> None:
    report = "There is a {} mm nodule in the right upper lobe. Small left pleural effusion. No ascites. {}"
    rows = [{"id": i, "report": report.format(i % 90 + 1, i)} for i in range(20_000)]
    (tmp_path / "big.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for workers in ("1", "2"):
        code, err = interrupted(tmp_path, root, "parse", "big.jsonl", "-o", "facts.jsonl", "--workers", workers)
        assert (code, err) == (130, "interrupted\n")
        assert [p.name for p in tmp_path.iterdir()] == ["big.jsonl"]


NAMED = [
    (("score", "p.jsnl"), "did you mean 'p.jsonl'?"),
    (("score", "nofolder/p.jsonl"), "there is no folder 'nofolder' either"),
    (("score", "refs.csv"), "where references and predictions stand in two files, give both, the references first"),
    (("score", "preds.csv", "refs.csv"), "the first file holds the references; call the column 'reference'"),
    (("score", "refs.csv", "refs.csv"), "the second file holds the predictions; call the column 'prediction'"),
    (("explain", "p.jsonl"), "--id ID shows one report, --html PAGE writes a page of all"),
    (("audit", "probes", "p.jsonl", "--metric", "embedding:model=x"), "model"),
    (("train", "run.yaml", "--dry-run"), "data.trian: there is no such key (did you mean 'train'?)"),
    (("train", "run.yaml", "--dry-run"), "reward.nam: there is no such key (did you mean 'name'?)"),
    (("train", "tiff.yaml", "--dry-run"), "tiff.yaml: reward: there is no reward 'tiff'"),
    (("train", "none.yaml"), "none.yaml: can't be read: No such file or directory"),
    (("train", "open.yaml"), "open.yaml:2: not valid YAML"),
    (("audit", "humans", "p.jsonl", "--rater", "r"), "fields here, beside ids and texts: none"),
]


@pytest.fixture
def mistaken(folder: Path) -> Path:
    (folder / "refs.csv").write_text("id,reference\na,Small left pleural effusion.\n")
    (folder / "preds.csv").write_text("id,prediction\na,Small left pleural effusion.\n")
    (folder / "run.yaml").write_text("model: {path: x}\ndata: {trian: a.jsonl}\nreward: {nam: tif}\n")
    (folder / "tiff.yaml").write_text("model: {path: x}\ndata: {train: p.jsonl}\nreward: {name: tiff}\noutput: out\n")
    (folder / "open.yaml").write_text("model: [\n")
    return folder


@pytest.mark.parametrize(("args", "told"), NAMED, ids=[" ".join(args) for args, _ in NAMED])
def test_what_to_do_is_told(cabs, mistaken: Path, args: tuple[str, ...], told: str) -> None:
    done = cabs(*args)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert told in done.stderr


LISTS = [(), ("audit",), ("benchmark",), ("export",), ("ontology",)]


@pytest.mark.parametrize("group", LISTS, ids=lambda group: " ".join(group) or "cabs")
def test_no_line_of_a_list_of_commands_is_cut(cabs, group: tuple[str, ...]) -> None:
    listed = cabs(*group, "--help").stdout.partition("Commands:")[2]
    assert listed.strip()
    assert "..." not in listed


def test_arguments_are_written_as_they_are_named(cabs) -> None:
    for command in (("rewards",), ("leaderboard",), ("ontology", "search"), ("benchmark", "check")):
        arguments = cabs(*command, "--help").stdout.partition("\n")[0].partition("[OPTIONS] ")[2]
        assert arguments
        assert arguments == arguments.upper()
        assert "[[" not in arguments
        assert arguments.count("...") <= 1
