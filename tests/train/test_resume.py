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

from cabs.training.config import read_config
from cabs.training.launch import launch
from cabs.training.preflight import preflight
from tests.train.conftest import SFT, TRAINER, Cabs
from tests.training.build import ROWS, config

pytestmark = pytest.mark.filterwarnings("ignore")
"""Of torch, transformers and TRL, not ours to mend."""

STEPS = 12
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
    "grpo": {"trainer": {"num_iterations": 2, "gradient_accumulation_steps": 2, "save_steps": 4}},
    "rloo_lora": {
        "method": "rloo",
        "model": {"lora": {"r": 4, "target_modules": "all-linear", "lora_dropout": 0.2}},
        "trainer": {"save_steps": 3},
    },
    "cold_start": {
        "sft": {"abnormal_weight": 1.1, "trainer": {**SFT, "max_steps": 9, "save_steps": 2}},
        "trainer": {"save_steps": 12},
    },
}
"""Each is killed in a later epoch than the first, in the middle of it or at its end."""


KILLED = {"grpo": "checkpoint-8", "rloo_lora": "checkpoint-6", "cold_start": "sft/checkpoint-6"}


@pytest.mark.parametrize(("sections", "where"), [(RUNS[name], KILLED[name]) for name in RUNS], ids=list(RUNS))
def test_killed_and_gone_on_with(
    sections: dict[str, Any], where: str, cabs: Cabs, model: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    asked = {
        "reward": {"name": "letters"},
        "evaluation": {"every": 3},
        **sections,
        "model": {"path": str(model), **sections.get("model", {})},
        "trainer": {**TRAINER, "max_steps": STEPS, **sections["trainer"]},
    }
    whole, killed = (tmp_path / name / "out" for name in ("whole", "killed"))
    for folder in (whole, killed):
        folder.parent.mkdir()
        config(folder.parent, ROWS, **asked)
    launch(preflight(read_config(whole.parent / "run.yaml")))
    asked_for = str(killed.parent / "run.yaml")
    checkpoint = killed / where
    command = [sys.executable, "-m", "cabs", "train", asked_for]
    kill_after(checkpoint / "trainer_state.json", command, tmp_path, environment)
    assert not (killed / "model").exists()
    again = cabs("train", asked_for)
    assert again.returncode == 0, again.stderr
    assert f"goes on from {killed}" in again.stderr or f"going on from {killed}" in again.stderr
    same(whole / "model", killed / "model")
    for file in ("evaluation.jsonl", "held_out.jsonl"):
        assert (killed / file).read_bytes() == (whole / file).read_bytes()
    assert len({line["reward"] for line in log(whole / f"checkpoint-{STEPS}")}) > 2, "there was something to learn"


def log(checkpoint: Path) -> list[dict[str, Any]]:
    lines = json.loads((checkpoint / "trainer_state.json").read_text())["log_history"]
    return [line for line in lines if "reward" in line]
