"""A run on two ranks, launched as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.train.conftest import SFT, TRAINER
from tests.training.build import ROWS, config


def test_two_ranks_make_one_run(model: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    path = config(
        tmp_path,
        [*ROWS, *ROWS[:2]],
        model={"path": str(model)},
        reward={"name": "letters"},
        evaluation={"every": 2},
        sft={"trainer": {**SFT, "max_steps": 1, "save_strategy": "no"}},
        trainer={**TRAINER, "max_steps": 2},
    )
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2", "-m", "cabs"]
    command = [*launch, "train", str(path), "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["held_out"] == 5
    assert done.stderr.count("model written to") == 1
    out = tmp_path / "out"
    assert [json.loads(line)["rows"] for line in (out / "evaluation.jsonl").read_text().splitlines()] == [5]
    told = [json.loads(line)["id"] for line in (out / "held_out.jsonl").read_text().splitlines()]
    assert told == [f"s{at}" for at in range(5)]
    assert (out / "model" / "model.safetensors").is_file()
    assert not list(out.rglob(".*.tmp"))
