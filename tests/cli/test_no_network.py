"""Nothing leaves the machine unless an LLM or a hub is asked for: here no process gets a socket."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import REFERENCE, WRONG

CLOSED = """
import socket, sys

class Closed(BaseException):
    pass

def refuse(*args, **_):
    raise Closed(f"a socket was asked for: {args}")

# Binding is let through: libraries bind to this very machine to see whether it has IPv6.
def audit(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"):
        refuse(event, *args)

sys.addaudithook(audit)

"""
COMMANDS = {
    "score": ("score", "pairs.jsonl", "-o", "run", "--draws", "20", "--workers", "2"),
    "explain": ("explain", "pairs.jsonl", "--id", "a", "--system", "x"),
    "explain, page": ("explain", "pairs.jsonl", "--html", "page.html"),
    "compare": ("compare", "run"),
    "leaderboard": ("leaderboard", "run", "-o", "site"),
    "parse": ("parse", "reports.jsonl", "-o", "facts.jsonl"),
    "metrics": ("metrics",),
    "rewards": ("rewards",),
    "demo": ("demo",),
    "resolve": ("ontology", "resolve", "cyst of the left kidney"),
    "coverage": ("ontology", "coverage", "reports.jsonl"),
    "benchmarks": ("benchmark", "list"),
    "agreement": ("audit", "agreement", "facts.jsonl", "facts.jsonl"),
    "sheet": ("audit", "sheet", "reports.jsonl", "-o", "sheet.csv"),
    "probes": ("audit", "probes", "reports.jsonl", "--metric", "f1", "--draws", "0"),
}
"""In this order: later ones read what earlier ones wrote."""
IMPORTS = """
import importlib, pkgutil, cabs
for module in pkgutil.walk_packages(cabs.__path__, "cabs."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        if ".training." not in module.name:
            raise
"""


def closed(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A process, and the processes of its own, for which every connection fails."""
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([str(folder / "site-closed"), root, os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *args],
        cwd=folder,
        capture_output=True,
        text=True,
        env=env,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("offline")
    (made / "site-closed").mkdir()
    (made / "site-closed" / "sitecustomize.py").write_text(CLOSED)
    lines = [
        f'{{"id": "{id}", "system": "{system}", "reference": "{REFERENCE}", "prediction": "{text}"}}\n'
        for id in "ab"
        for system, text in (("x", REFERENCE), ("y", WRONG))
    ]
    (made / "pairs.jsonl").write_text("".join(lines))
    (made / "reports.jsonl").write_text(f'{{"id": "a", "report": "{REFERENCE}"}}\n{{"id": "b", "report": "{WRONG}"}}\n')
    return made


def test_the_door_is_closed(folder: Path) -> None:
    done = closed(folder, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))")
    assert "a socket was asked for" in done.stderr
    done = closed(folder, "-c", "import socket; socket.getaddrinfo('example.org', 80)")
    assert "a socket was asked for" in done.stderr


def test_importing_every_module_asks_for_nothing(folder: Path) -> None:
    done = closed(folder, "-c", IMPORTS)
    assert done.returncode == 0, done.stderr


def test_the_commands_ask_for_nothing(folder: Path) -> None:
    for name, args in COMMANDS.items():
        done = closed(folder, "-m", "cabs", *args)
        assert "a socket was asked for" not in done.stderr, name
        assert done.returncode == 0, f"{name}: {done.stderr}"
