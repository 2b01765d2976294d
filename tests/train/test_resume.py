"""A run that is killed and goes on ends with the parameters of one that was never stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from tests.train.conftest import TRAINER, Cabs
from tests.training.build import config

STEPS = 10
ENOUGH = 300
"""Seconds after which a run that is to be killed has failed."""


def parameters(folder: Path) -> dict[str, Any]:
    name = "adapter_model.safetensors" if (folder / "adapter_model.safetensors").exists() else "model.safetensors"
    return dict(load_file(folder / name))


def same(first: Path, second: Path) -> None:
    one, other = parameters(first), parameters(second)
    assert one.keys() == other.keys()
    assert [name for name in one if not (one[name] == other[name]).all()] == []


def kill_after(file: Path, command: list[str], cwd: Path, environment: dict[str, str]) -> None:
    """Run a command and kill it, with no chance to clean up, as soon as a file is there."""
    process = subprocess.Popen(
        command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + ENOUGH
    while not file.exists():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < until
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


RUNS = {
    "grpo": {},
    "rloo": {"method": "rloo"},
    "lora": {"model": {"lora": {"r": 4, "target_modules": "all-linear", "lora_dropout": 0.2}}},
    "iterations": {"trainer": {"num_iterations": 2, "gradient_accumulation_steps": 2, "save_steps": 4}},
}


@pytest.mark.parametrize("sections", RUNS.values(), ids=list(RUNS))
def test_killed_and_gone_on_with(
    sections: dict[str, Any], cabs: Cabs, model: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    trainer = {**TRAINER, "max_steps": STEPS, **sections.get("trainer", {})}
    asked = {
        **sections,
        "model": {"path": str(model), **sections.get("model", {})},
        "reward": {"name": "letters"},
        "evaluation": {"every": 3},
        "trainer": trainer,
    }
    first = trainer["save_steps"]
    paths = {}
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
        paths[name] = config(tmp_path / name, **asked)
    done = cabs("train", str(paths["whole"]))
    assert done.returncode == 0, done.stderr
    killed = tmp_path / "killed" / "out"
    command = [sys.executable, "-m", "cabs", "train", str(paths["killed"])]
    kill_after(killed / f"checkpoint-{2 * first}" / "trainer_state.json", command, tmp_path, environment)
    assert not (killed / "model").exists()
    again = cabs("train", str(paths["killed"]))
    assert again.returncode == 0, again.stderr
    assert "going on from" in again.stderr
    same(tmp_path / "whole" / "out" / "model", killed / "model")
    for file in ("evaluation.jsonl", "held_out.jsonl"):
        assert (killed / file).read_bytes() == (tmp_path / "whole" / "out" / file).read_bytes()
    log = json.loads((killed / f"checkpoint-{STEPS - STEPS % first}" / "trainer_state.json").read_text())["log_history"]
    assert len({line["reward"] for line in log if "reward" in line}) > 2, "there was something to learn"
    last = cabs("train", str(paths["killed"]))
    assert "the run is finished" in last.stderr
