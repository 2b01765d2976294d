"""The command line in a process that lives under rules of Windows: its files have the bytes of any other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from cabs.cli.demo import PAIRS

RULES = Path(__file__).parent / "as_windows"
SYSTEMS = ("CON", "nul.txt", "a:b", "Tuned", "tuned", "ends in a dot.", "C:\\x", "größer → ⟨1⟩")
COMMANDS = (
    ("score", "pairs.jsonl", "-o", "run", "--workers", "2"),
    ("compare", "run", "--system-a", "Tuned", "--system-b", "tuned"),
    ("explain", "pairs.jsonl", "--id", "0", "--system", "CON", "--html", "page.html"),
    ("leaderboard", "run", "-o", "site"),
    ("parse", "reports.jsonl", "-o", "facts.jsonl"),
    ("parse", "reports.jsonl", "-o", "facts.jsonl"),  # over the file of an earlier run
    ("audit", "sheet", "reports.jsonl", "-o", "sheet.csv"),
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs of systems whose names are no file names of Windows, and reports."""
    folder = tmp_path_factory.mktemp("inputs")
    shipped = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()][:3]
    rows = [
        {"id": str(n), "system": name, "reference": pair["reference"], "prediction": pair["prediction"] + " ≥ 2 cm → é"}
        for name in SYSTEMS
        for n, pair in enumerate(shipped)
    ]
    reports = [{"id": row["id"], "report": row["reference"]} for row in rows[:3]]
    for name, lines in {"pairs.jsonl": rows, "reports.jsonl": reports}.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8", newline="\n")
    return folder


def printed(folder: Path, inputs: Path, environment: Mapping[str, str]) -> list[tuple[int, bytes, bytes]]:
    """What each command gives in a folder that has the inputs."""
    for path in inputs.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG", "COV_"))}
    said = {**kept, "NO_COLOR": "1", "COLUMNS": "200", **environment}
    root = Path(__file__).resolve().parents[2]
    said["PYTHONPATH"] = os.pathsep.join(filter(None, (environment.get("PYTHONPATH"), str(root))))
    runs = [
        subprocess.run([sys.executable, "-m", "cabs", *command], cwd=folder, capture_output=True, env=said, check=False)
        for command in COMMANDS
    ]
    return [(run.returncode, run.stdout, run.stderr) for run in runs]


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def usual(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, bytes, bytes]]]:
    folder = tmp_path_factory.mktemp("usual")
    return folder, printed(folder, inputs, {"PYTHONUTF8": "1"})


ELSEWHERE = {
    "windows": {"PYTHONPATH": str(RULES)},
    "ascii": {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii:strict",
        "TZ": "UTC-9",
    },
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_same_bytes_elsewhere(name: str, inputs: Path, usual, tmp_path: Path) -> None:
    folder, expected = usual
    assert [code for code, _, _ in expected] == [0] * len(COMMANDS), expected
    found = printed(tmp_path, inputs, ELSEWHERE[name])
    for command, here, there in zip(COMMANDS, expected, found, strict=True):
        assert there == here, command
    assert contents(tmp_path) == contents(folder)
    assert not [path for path in tmp_path.rglob("*") if b"\r\n" in (path.read_bytes() if path.is_file() else b"")]


WRONG = {
    "a name": "open('aux.txt', 'w', encoding='utf-8').close()",
    "a name that differs by case": "open('a', 'w').close(); open('A', 'w').close()",
    "a file that is open": "f = open('a', 'w'); import os; os.replace('a', 'b')",
    "removing an open file": "f = open('a', 'w'); import os; os.remove('a')",
    "a handle that reads": "import os; open('a', 'w').close(); f = open('a', 'rb'); os.fsync(f.fileno())",
    "a sign that the encoding lacks": "print('→')",
    "fork": "import os; os.fork()",
}


@pytest.mark.parametrize("what", WRONG)
def test_the_rules_are_in_force(what: str, tmp_path: Path) -> None:
    command, rules = [sys.executable, "-c", WRONG[what]], {"PYTHONPATH": str(RULES)}
    plain = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1"}
    for environment, code in ((plain, 0), (plain | rules, 1)):
        folder = tmp_path / str(code)
        folder.mkdir()
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        assert run.returncode == code, run.stderr


def test_lines_end_and_signs_are_as_on_windows_unless_it_is_said(tmp_path: Path) -> None:
    code = "open('a', 'w').write('é\\n'); open('b', 'w', encoding='utf-8', newline='\\n').write('é\\n'); print('é')"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(RULES)}
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert run.stdout == b"\xe9\r\n"
    assert (tmp_path / "a").read_bytes() == b"\xe9\r\n"
    assert (tmp_path / "b").read_bytes() == "é\n".encode()
