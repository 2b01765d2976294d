"""The command line as a user has it: a real process in an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Cabs = Callable[..., subprocess.CompletedProcess[str]]

REFERENCE = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
WRONG = "There is a 9 mm nodule in the left upper lobe. No pleural effusion. The heart is enlarged."
NORMAL = "The lungs are clear. No pleural effusion. The liver is normal."


@pytest.fixture
def cabs(tmp_path: Path, root: Path) -> Cabs:
    """Run `cabs ARGS` in `tmp_path`: `cabs("score", "p.jsonl", stdin="...").stdout`."""

    def run(*args: str, stdin: str = "", seed: str = "random") -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": seed, "COLUMNS": "200", "NO_COLOR": "1"}
        command = [sys.executable, "-m", "cabs", *args]
        return subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, env=env, check=False)

    return run


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Six reports of two systems, in a file."""
    path = tmp_path / "pairs.jsonl"
    rows = []
    for i in range(6):
        reference = NORMAL if i == 5 else REFERENCE
        for system, prediction in (("good", reference), ("bad", WRONG)):
            row = {
                "id": f"r{i}",
                "system": system,
                "reference": reference,
                "prediction": prediction,
                "patient": i // 2,
            }
            rows.append(json.dumps(row))
    path.write_text("\n".join(rows) + "\n")
    return path
