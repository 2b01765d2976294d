"""The workflows call what the Makefile has, on the systems and Pythons that are claimed, with nothing but to read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(ROOT.joinpath(".github", "workflows").glob("*.yml"))
SYSTEMS = {"ubuntu-latest", "macos-latest", "windows-latest"}
PYTHONS = {"3.11", "3.12", "3.13"}


def jobs(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return found


def targets() -> set[str]:
    """What the Makefile says is no file."""
    (line,) = re.findall(r"^\.PHONY: (.*)$", ROOT.joinpath("Makefile").read_text(encoding="utf-8"), re.M)
    return set(line.split())


def called(command: str, job: dict[str, Any]) -> set[str]:
    """The targets of a command, those of its matrix written out."""
    (words,) = re.findall(r"^make ((?:[a-z-]+ ?|\$\{\{ matrix\.target \}\})+)", command)
    if "matrix.target" in words:
        return set(job["strategy"]["matrix"]["target"])
    return set(words.split())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_step_is_a_target_or_a_known_action(path: Path) -> None:
    assert FILES
    for job in jobs(path).values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
            else:
                assert called(step["run"], job) <= targets()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_workflow_may_read_and_nothing_else(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    assert "secrets." not in text
    assert "pull_request_target" not in text


def test_the_matrix_is_the_one_that_is_claimed() -> None:
    matrix = jobs(ROOT / ".github" / "workflows" / "tests.yml")["test"]["strategy"]["matrix"]
    assert (set(matrix["os"]), set(matrix["python"])) == (SYSTEMS, PYTHONS)
    page = ROOT.joinpath("notebooks", "docs", "pages", "install.md").read_text(encoding="utf-8")
    assert "Python 3.11, 3.12 and 3.13" in page
    assert all(name in page for name in ("Linux", "macOS", "Windows"))


def test_what_windows_is_given_is_there() -> None:
    (command,) = (s["run"] for s in jobs(FILES[-1])["test"]["steps"] if "windows" in s.get("run", ""))
    for name in re.findall(r"\b(?:cabs|tests/[\w/.]+)", command):
        assert ROOT.joinpath(name).exists(), name
