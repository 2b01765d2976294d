"""`cabs score --engine ray` through a real process, which starts a Ray of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.ray.conftest import content, rows_of, write_lines


def cabs(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cabs", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_both_engines_say_and_write_the_same(tmp_path: Path) -> None:
    write_lines(tmp_path / "p.jsonl", rows_of(40))
    here = cabs(tmp_path, "score", "p.jsonl", "-o", "here", "--workers", "1", "--by", "organ")
    there = cabs(tmp_path, "score", f"file://{tmp_path}/p.jsonl", "-o", "there", "--engine", "ray", "--by", "organ")
    assert (there.returncode, there.stdout) == (0, here.stdout), there.stderr
    said = [
        line for line in there.stderr.splitlines() if not re.match(r"\[\d{4}-.* core_worker\.cc", line)
    ]  # Ray's own
    assert said == here.stderr.replace("written to here", "written to there").splitlines()
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_a_mistake_is_told_by_the_program_alone(tmp_path: Path) -> None:
    write_lines(tmp_path / "p.jsonl", [*rows_of(3), {"id": 7}])
    here = cabs(tmp_path, "score", "p.jsonl", "-o", "run")
    there = cabs(tmp_path, "score", "p.jsonl", "-o", "run", "--engine", "ray")
    assert (there.returncode, there.stdout, there.stderr) == (1, "", here.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]
