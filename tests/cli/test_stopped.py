"""Runs that are killed, that meet a full disk or another run: nothing is lost or scored twice, and it is said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PAIRS = 600
REPORT = "There is a {} mm nodule in the right upper lobe. Small left pleural effusion. No ascites."
SCORE = ("score", "p.jsonl", "-o", "run", "--draws", "20")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"id": at, "gt": REPORT.format(at % 90 + 1), "pred": REPORT.format(at % 80 + 1)} for at in range(PAIRS)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def started(folder: Path, root: Path, *args: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "cabs", *args]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until(happened, process: subprocess.Popen[str]) -> None:
    """Wait for something that a process does; it is an error if it ends without doing it."""
    while not happened():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_run_goes_on_to_the_same_bytes_and_leaves_no_process(cabs, folder: Path, root: Path) -> None:
    assert cabs("score", "p.jsonl", "-o", "whole", "--draws", "20").returncode == 0
    journal = folder / ".run.cabs-partial"
    for size in (20_000, 60_000):
        process = started(folder, root, *SCORE, "--workers", "2")
        until(lambda size=size: journal.exists() and journal.stat().st_size > size, process)
        workers = children(process.pid)
        process.kill()
        process.communicate()
        assert len(workers) >= 2
        while any(map(alive, workers)):  # who waits for a parent that is gone ends too
            time.sleep(0.05)
    assert len([p for p in folder.iterdir() if p.name.endswith(".tmp")]) == 1, "what the first one left is gone"
    done = cabs(*SCORE, "--workers", "1")
    assert "going on with an unfinished run: " in done.stderr
    assert content(folder / "run") == content(folder / "whole")
    assert sorted(p.name for p in folder.iterdir()) == ["p.jsonl", "run", "whole"]


def test_two_runs_into_one_folder_are_refused(cabs, folder: Path, root: Path) -> None:
    process = started(folder, root, *SCORE, "--workers", "2")
    journal = folder / ".run.cabs-partial"
    until(lambda: journal.exists() and journal.stat().st_size > 10_000, process)
    process.send_signal(signal.SIGSTOP)  # so that it can't have ended when the other one begins
    (folder / "link").symlink_to("run")
    try:
        other, linked = cabs(*SCORE), cabs(*SCORE[:3], "link", *SCORE[4:])
    finally:
        process.send_signal(signal.SIGCONT)
    assert (linked.returncode, linked.stdout) == (1, "")
    assert "another run is writing there" in linked.stderr
    assert (other.returncode, other.stdout) == (1, "")
    assert other.stderr == (
        "error: .run.cabs-partial: another run is writing there\n"
        "  hint: wait until it has ended, or name another folder\n"
    )
    _, said = process.communicate()
    assert (process.returncode, said.splitlines()[-1]) == (0, "written to run")


@pytest.mark.parametrize("kilobytes", [750, 30])
def test_a_full_disk_is_said_and_costs_nothing(cabs, folder: Path, root: Path, kilobytes: int) -> None:
    """A limit on the size of files stands for the disk."""
    limited = f"ulimit -f {kilobytes}; exec {sys.executable} -m cabs {' '.join(SCORE)} --workers 1"
    env = {**os.environ, "PYTHONPATH": str(root), "NO_COLOR": "1"}
    done = subprocess.run(["bash", "-c", limited], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    kept, error, hint = done.stderr.splitlines()
    assert kept == "what is done is kept in .run.cabs-partial; the same command goes on from there"
    assert "can't be written: " in error
    assert hint == "  hint: make room there, or name a place on another disk"
    assert sorted(p.name for p in folder.iterdir()) == [".run.cabs-partial", "p.jsonl"]
    again = cabs(*SCORE, "--workers", "1")
    assert "going on with an unfinished run: " in again.stderr
    assert json.loads((folder / "run" / "results.json").read_text())["systems"][0]["scored"] == PAIRS
    assert sorted(p.name for p in folder.iterdir()) == ["p.jsonl", "run"]


def test_a_place_that_takes_nothing(cabs, folder: Path) -> None:
    done = cabs("score", "p.jsonl", "-o", "/proc/run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: /proc/.run.cabs-partial: can't be written: ")
    assert "kept" not in done.stderr


def test_the_engine_and_its_options(cabs, folder: Path) -> None:
    for args, message in (
        (("--engine", "spark"), "--engine: 'spark' is no engine"),
        (("--address", "auto"), "--address: no cluster is asked"),
        (("--engine", "ray", "--workers", "2"), "--workers: --engine ray does not take it"),
        (("p.jsonl", "--engine", "ray"), "FILE2: --engine ray does not take it"),
        (("--engine", "ray", "--task", "mcq"), "--engine: --task mcq does not take it"),
    ):
        done = cabs("score", "p.jsonl", *args)
        assert (done.returncode, done.stdout) == (2, ""), args
        assert message in done.stderr
        assert "hint: " in done.stderr
