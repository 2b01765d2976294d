"""A run exported for verl: the tables read back, the scripts parse, and the reward in them is the run's."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from pyarrow.parquet import read_table

from cabs.rewards.adapters.verl import compute_score
from cabs.training.slices.folder import write_slices
from cabs.training.slices.volume import read_volume
from cabs.training.slices.window import Window
from tests.training.build import REPORTS, ROWS, config
from tests.training.conftest import Cabs

RECIPES = {"grpo": "grpo", "rloo": "rloo", "remax": "remax", "reinforce_plus_plus": "reinforce_plus_plus"}
KWARGS = "+reward.custom_reward_function.reward_kwargs."
"""script → the estimator that it asks for."""


def exported(cabs: Cabs, path: Path) -> tuple[Path, subprocess.CompletedProcess[str]]:
    done = cabs("export", "verl", path.name, "-o", "verl")
    assert done.returncode == 0, done.stderr
    return path.parent / "verl", done


def overrides(script: Path) -> dict[str, Any]:
    """What the shell hands to verl: each key once, values as YAML reads them (Hydra's grammar agrees on these)."""
    subprocess.run(["bash", "-n", str(script)], check=True)
    stub = f'python3() {{ printf "%s\\n" "$@"; }}; exec() {{ "$@"; }}; . {shlex.quote(str(script))}'
    said = subprocess.run(["bash", "-c", stub], capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[:2] == ["-m", "verl.trainer.main_ppo"]
    found = [word.partition("=") for word in said[2:] if word]
    assert len({key for key, _, _ in found}) == len(found)
    return {key: yaml.safe_load(value) for key, _, value in found}


def test_the_recipes(cabs: Cabs, tmp_path: Path) -> None:
    trainer = {"learning_rate": 2e-6, "num_generations": 4, "beta": 0.01, "loss_type": "dapo", "max_steps": 7}
    asked = {"trainer": trainer, "evaluation": {"every": 5}, "model": {"path": "org/name", "lora": {"r": 16}}}
    reward = {"name": "tif:gamma=0", "options": {"form": "headings"}, "truncated": "none"}
    options = {"trainer.logger": ["console", "wandb"], "data.max_prompt_length": 777}
    path = config(tmp_path, **asked, reward=reward, verl={"nodes": 4, "batch": 128, "options": options})
    folder, done = exported(cabs, path)
    assert "of trainer, verl gets none of: loss_type" in done.stderr
    for name, estimator in RECIPES.items():
        keys = overrides(folder / f"{name}.sh")
        assert keys["algorithm.adv_estimator"] == estimator
        assert keys["data.train_files"] == str(folder / "train.parquet")
        assert keys["data.val_files"] == str(folder / "val.parquet")
        assert keys["actor_rollout_ref.model.path"] == "org/name"
        assert keys["actor_rollout_ref.model.lora_rank"] == 16
        assert keys["actor_rollout_ref.rollout.n"] == 4
        assert float(keys["actor_rollout_ref.actor.optim.lr"]) == 2e-6
        assert (keys["trainer.nnodes"], keys["trainer.test_freq"], keys["trainer.total_training_steps"]) == (4, 5, 7)
        assert (keys["trainer.logger"], keys["data.max_prompt_length"]) == (["console", "wandb"], 777)
        assert keys["data.train_batch_size"] == keys["actor_rollout_ref.actor.ppo_mini_batch_size"] == 128
        assert keys["algorithm.use_kl_in_reward"] == (name != "grpo")
        assert keys["reward.custom_reward_function.path"] == "pkg://cabs.rewards.adapters.verl"
        kwargs = {key.removeprefix(KWARGS): value for key, value in keys.items() if key.startswith(KWARGS)}
        assert kwargs.pop("log") == str(folder / "rewards.jsonl")
        assert kwargs == {"reward": "tif:gamma=0", "form": "headings", "truncated": "none", "scale": "raw"}
        assert compute_score("d", "Left pleural effusion.", "Left pleural effusion.", {}, **kwargs)["score"] == 1.0
    assert overrides(folder / "remax.sh")["trainer.use_v1"] is False
    assert "trainer.use_v1" not in overrides(folder / "grpo.sh")
    subprocess.run(["bash", "-n", str(folder / "cluster.sh")], check=True)
    assert (folder / "cluster.sh").stat().st_mode & 0o111


def test_the_tables_read_back(cabs: Cabs, tmp_path: Path) -> None:
    rows = [{**row, "age": at, "note": {"a": [at]}} for at, row in enumerate(ROWS)]
    folder, _ = exported(cabs, config(tmp_path, rows))
    found = read_table(folder / "train.parquet").to_pylist()
    assert len(found) == 4
    assert found[0] == {
        "data_source": "train",
        "prompt": [{"role": "user", "content": "Write the report of study 4."}],
        "ability": "report",
        "reward_model": {"style": "rule", "ground_truth": REPORTS[0]},
        "extra_info": {"age": 4, "note": '{"a": [4]}', "id": "s4", "index": 0, "split": "train"},
    }
    assert [row["extra_info"]["split"] for row in read_table(folder / "val.parquet").to_pylist()] == ["val"] * 4
    for row in found:
        said = row["reward_model"]["ground_truth"]
        assert compute_score(row["data_source"], said, said, row["extra_info"])["score"] == 1.0
    record = json.loads((folder / "export.json").read_text())
    assert record["rows"] == {"train": 4, "held_out": 4}
    first = {p.name: p.read_bytes() for p in folder.iterdir()}
    exported(cabs, tmp_path / "run.yaml")
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == first


def test_images_and_videos(cabs: Cabs, tmp_path: Path) -> None:
    np.save(tmp_path / "ct.npy", np.zeros((3, 4, 4), dtype=np.int16))
    write_slices(tmp_path / "a", read_volume(tmp_path / "ct.npy"), lambda n: range(n), Window())
    (tmp_path / "v.mp4").write_text("")
    blocks = [{"type": "text", "text": "Here: "}, {"type": "image"}, {"type": "image"}, {"type": "image"}]
    asked = [
        {**ROWS[0], "images": ["a"]},
        {**ROWS[1], "prompt": [{"role": "user", "content": blocks}], "images": ["a"]},
    ]
    frames = [f"file://{tmp_path.resolve()}/a/00{at}.png" for at in range(3)]
    folder, _ = exported(cabs, config(tmp_path, asked))
    first, second = read_table(folder / "train.parquet").to_pylist()
    assert first["images"] == [{"image": frame} for frame in frames]
    assert first["prompt"][0]["content"] == "<image><image><image>Write the report of study 0."
    assert second["prompt"][0]["content"] == "Here: <image><image><image>"
    assert overrides(folder / "grpo.sh")["data.image_patch_size"] == 16
    asked = [{**ROWS[at], "videos": [{"video": "a", "fps": 2, "min_frames": 3}]} for at in range(2)]
    folder, _ = exported(cabs, config(tmp_path, asked))
    row = read_table(folder / "train.parquet").to_pylist()[0]
    assert row["videos"] == [{"video": frames, "fps": 2, "min_frames": 3}]
    assert row["prompt"][0]["content"] == "<video>Write the report of study 0."
    assert overrides(folder / "grpo.sh")["actor_rollout_ref.model.use_remove_padding"] is False
    folder, _ = exported(cabs, config(tmp_path, [{**ROWS[0], "videos": ["v.mp4"]}]))
    assert read_table(folder / "train.parquet").to_pylist()[0]["videos"] == [{"video": f"file://{tmp_path}/v.mp4"}]


@pytest.mark.parametrize(
    ("row", "sections", "said"),
    [
        ({"videos": ["no.mp4"]}, {}, "there is no file"),
        ({"videos": ["ct.npy"]}, {}, "is a volume, which verl does not read"),
        ({"videos": [3]}, {}, "a video is a number"),
        ({"prompt": "<image>?"}, {}, "the prompt has 1 places for 0 images"),
        ({"prompt": [{"role": "user", "content": [{"type": "audio"}]}]}, {}, "neither text nor a place"),
    ],
)
def test_mistakes(cabs: Cabs, tmp_path: Path, row: dict[str, Any], sections: dict[str, Any], said: str) -> None:
    (tmp_path / "ct.npy").write_text("")
    path = config(tmp_path, [{**ROWS[0], **row}], **sections)
    done = cabs("export", "verl", path.name, "-o", "verl")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "verl").exists()
