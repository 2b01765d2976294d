"""Results of the command line to build boards of, and a benchmark with two submissions."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cabs.cli.app import app
from cabs.cli.door import through

Cabs = Callable[..., subprocess.CompletedProcess[str]]

REFERENCES = {
    "c1": "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. The heart is enlarged.",
    "c2": "Moderate right pleural effusion. No pneumothorax. Old rib fracture on the left.",
    "c3": "The lungs are clear. No pleural effusion. The heart is normal in size.",
    "c4": "Simple cyst in the left lobe of the liver measuring 2.5 cm. Cholelithiasis.",
}
GOOD = REFERENCES | {"c2": "Moderate right pleural effusion."}
POOR = {"c1": "Emphysema.", "c2": "Small left pleural effusion.", "c3": "Consolidation.", "c4": "The liver is normal."}


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs(system: str | None, said: dict[str, str]) -> list[dict[str, Any]]:
    named = {} if system is None else {"system": system}
    return [{"id": id, **named, "reference": REFERENCES[id], "prediction": text} for id, text in said.items()]


@pytest.fixture(scope="session")
def process(root: Path) -> Cabs:
    """`process(folder, "leaderboard", ...)` runs `cabs` in a folder, in a process of its own."""

    def call(folder: Path, *args: str, seed: str = "random") -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed, "COLUMNS": "200", "NO_COLOR": "1"}
        command = [sys.executable, "-m", "cabs", *args]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, check=False)

    return call


@pytest.fixture(scope="session")
def run() -> Cabs:
    """The same through the door of the command line in this process, which is quicker."""

    def call(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
        out, err = io.StringIO(), io.StringIO()
        before = sys.argv
        sys.argv = ["cabs", *args]
        try:
            with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = through(app)
        finally:
            sys.argv = before
        return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())

    return call


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory, run: Cabs) -> Path:
    """A folder with results of a good and a poor system (`both`), and of each alone."""
    folder = tmp_path_factory.mktemp("results")
    lines(folder / "both.jsonl", [*pairs("good", GOOD), *pairs("poor", POOR)])
    lines(folder / "one.jsonl", pairs("good", GOOD))
    for name in ("both", "one"):
        done = run(folder, "score", f"{name}.jsonl", "-o", name, "--draws", "200")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def contest(tmp_path: Path, run: Cabs) -> Path:
    """A folder with a fixed benchmark and two submissions."""
    home = tmp_path / "contest"
    home.mkdir()
    lines(home / "references.jsonl", [{"id": id, "text": text} for id, text in REFERENCES.items()])
    said = "cabs_benchmark: 1\nname: tiny\ntitle: A tiny contest\nmissing: count\ndraws: 200\npublish_text: true\n"
    (home / "benchmark.yaml").write_text(said)
    for name, texts in (("good", GOOD), ("poor", POOR)):
        folder = tmp_path / name
        folder.mkdir()
        lines(folder / "predictions.jsonl", [{"id": id, "prediction": text} for id, text in texts.items()])
        about = f"system: The {name} one\npaper: https://example.org/{name}\nlicence: MIT\n"
        (folder / "submission.yaml").write_text(about)
    done = run(tmp_path, "benchmark", "fix", "contest")
    assert done.returncode == 0, done.stderr
    return tmp_path
