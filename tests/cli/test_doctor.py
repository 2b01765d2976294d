"""`cabs doctor` tells what there is; it changes nothing, asks nobody, and says no where the core is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cabs as package
from cabs.checkup.core import SENTENCE, core, digest
from cabs.checkup.packages import Package, install_line, meets, requirements

NO_NETWORK = """
import socket
def refused(*args, **kwargs):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
"""
BROKEN = "import sys; sys.modules['rapidfuzz'] = None\n"


def doctor(folder: Path, root: Path, site: str, *args: str) -> subprocess.CompletedProcess[str]:
    """`cabs doctor` in a process that runs some code first."""
    (folder / "first").mkdir()
    (folder / "first" / "sitecustomize.py").write_text(site, encoding="utf-8")
    paths = os.pathsep.join([str(folder / "first"), str(root)])
    env = {**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "XDG_CACHE_HOME": str(folder / "kept")}
    command = [sys.executable, "-m", "cabs", "doctor", *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env, check=False)


def test_what_works_is_told_without_the_network(tmp_path: Path, root: Path) -> None:
    done = doctor(tmp_path, root, NO_NETWORK, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["works"] is True
    assert found["cabs"] == package.__version__
    assert found["ontology"]["content_hash"] == package.load_ontology().content_hash
    assert {entry["name"]: entry["fits"] for entry in found["dependencies"]}["numpy"] is True
    assert {"llm", "train", "embedding", "audit"} <= {extra["name"] for extra in found["extras"]}
    assert all(extra["purpose"] for extra in found["extras"])
    for extra in found["extras"]:
        assert (extra["install"] is None) == extra["complete"] == (not extra["missing"])
        assert all(f"'{name}" in extra["install"] for name in extra["missing"])
    assert found["caches"] == [
        {"what": "answers of language models", "place": str(tmp_path / "kept" / "cabs" / "llm.sqlite"), "size": None}
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first"]


def test_a_person_reads_the_same(cabs) -> None:
    done = cabs("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "the core works: a sentence gives the recorded facts"
    for word in ("ontology", package.load_ontology().content_hash, "java", "llm.sqlite", "audit", "numpy"):
        assert word in done.stdout


def test_a_broken_core_is_told_and_ends_with_1(tmp_path: Path, root: Path) -> None:
    done = doctor(tmp_path, root, BROKEN)
    assert done.returncode == 1
    assert "the core does not work: ModuleNotFoundError" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_need_that_is_not_met_is_told() -> None:
    found = core((Package("numpy", ">=999", "2.0"), Package("pandas", ">=2", "3.0")))
    assert (found.works, found.seen) == (False, "not met: numpy>=999")


def test_the_recorded_facts_are_those_of_today() -> None:
    recorded = json.loads(SENTENCE.read_text(encoding="utf-8"))
    assert digest(recorded["text"]) == recorded["facts"], "`make readme` records what the sentence gives today"
    assert digest(recorded["text"] + " Ascites.") != recorded["facts"]


def test_every_requirement_is_read(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = requirements()
    assert found is not None
    core_packages, extras = found
    assert [f"{p.name}{p.wanted}" for p in core_packages] == project["dependencies"]
    sizes = {extra.name: len(extra.packages) for extra in extras}
    assert sizes == {name: len(lines) for name, lines in project["optional-dependencies"].items()}


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("1.10", ">=1.9", True),
        ("1.9", ">=1.10", False),
        ("2", ">=2.0,<3", True),
        ("3.0.0", "<3", False),
        ("0.1.2", "==0.1.2", True),
        ("0.1.3", "==0.1.2", False),
        ("2.13.0+cpu", ">=2.13", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, wanted: str, fits: bool) -> None:
    assert meets(version, wanted) is fits


def test_what_is_missing_comes_by_one_command() -> None:
    packages = (Package("a", ">=1,<2", None), Package("b", "", None))
    assert install_line(packages) == "python -m pip install 'a>=1,<2' 'b'"
