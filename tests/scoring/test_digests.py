"""The shipped examples give the recorded bytes, whatever the hash seed, the locale, the time zone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cabs.scoring.digests import recorded

PLACES = {
    "as it is": {},
    "another seed": {"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo"},
    "plain C": {
        "PYTHONHASHSEED": "1",
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "TZ": "America/Lima",
    },
}


def checked(folder: Path, root: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root), **variables}
    command = [sys.executable, "-m", "cabs", "demo", "--check"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("place", PLACES)
def test_the_bytes_are_those_recorded(place: str, tmp_path: Path, root: Path) -> None:
    run = checked(tmp_path, root, PLACES[place])
    assert run.returncode == 0, f"{run.stdout}{run.stderr}after a change of the parser or the ontology: make golden"
    lines = [line.split() for line in run.stdout.splitlines()]
    assert {name: digest for name, digest, _ in lines} == recorded()
    assert {verdict for _, _, verdict in lines} == {"same"}
    assert list(tmp_path.iterdir()) == []


def test_another_byte_is_told(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    from cabs.cli import demo
    from cabs.errors import CabsError
    from cabs.scoring import digests

    other = tmp_path / "golden.json"
    other.write_text(json.dumps({**recorded(), "facts": "0" * 64}), encoding="utf-8")
    monkeypatch.setattr(digests, "GOLDEN", other)
    with pytest.raises(CabsError, match="not as recorded: facts "):
        demo.same_bytes()
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["same", "differs", "same", "same"]


def test_a_fact_that_changes_changes_the_digests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cabs.cli.demo import PAIRS
    from cabs.ontology import load_ontology
    from cabs.scoring import digests

    changed = tmp_path / "pairs.jsonl"
    text = PAIRS.read_text(encoding="utf-8")
    changed.write_text(text.replace("left", "right", 1), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != text
    found = digests.digests(changed, load_ontology())
    assert {name for name, digest in found.items() if digest != recorded()[name]} >= {"facts", "scores"}
