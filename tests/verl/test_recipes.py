"""The scripts of `cabs export verl` against verl's own configuration and data set."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
import verl
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from verl.trainer.ppo.core_algos import get_adv_estimator_fn
from verl.utils.dataset.rl_dataset import RLHFDataset

from cabs.training.config import read_config
from cabs.training.verl.folder import export_verl
from cabs.training.verl.recipes import RECIPES
from tests.rewards.adapters.tiny import tiny_tokenizer
from tests.training.build import ROWS, config

HOME = Path(verl.__file__).parent / "trainer" / "config"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    trainer = {"num_generations": 4, "learning_rate": 1e-6, "max_steps": 3}
    lora = {"r": 8, "lora_alpha": 16, "target_modules": "all-linear"}
    reward = {"name": "tif:gamma=0", "options": {"form": "headings"}}
    path = config(tmp_path, reward=reward, trainer=trainer, model={"lora": lora}, evaluation={"every": 2})
    export_verl(read_config(path), tmp_path / "verl")
    return tmp_path / "verl"


def words(script: Path) -> list[str]:
    stub = f'python3() {{ printf "%s\\n" "$@"; }}; exec() {{ "$@"; }}; . {shlex.quote(str(script))}'
    return subprocess.run(["bash", "-c", stub], capture_output=True, text=True, check=True).stdout.splitlines()[2:]


def composed(script: Path):
    with initialize_config_dir(str(HOME), version_base=None):
        return compose("ppo_trainer", overrides=[word for word in words(script) if word])


@pytest.mark.parametrize("name", list(RECIPES))
def test_verl_composes_every_recipe(name: str, folder: Path) -> None:
    found = composed(folder / f"{name}.sh")
    assert found.algorithm.adv_estimator == name
    assert callable(get_adv_estimator_fn(name))
    assert found.trainer.use_v1 is (name != "remax")
    assert found.actor_rollout_ref.rollout.n == 4
    assert found.actor_rollout_ref.model.lora_rank == 8
    kwargs = OmegaConf.to_container(found.reward.custom_reward_function.reward_kwargs)
    assert (kwargs["reward"], kwargs["form"]) == ("tif:gamma=0", "headings")
    assert found.actor_rollout_ref.actor.use_kl_loss == (name == "grpo")
    assert found.algorithm.use_kl_in_reward == (name != "grpo")


def test_verl_reads_the_rows(folder: Path) -> None:
    found = composed(folder / "grpo.sh")
    data = OmegaConf.merge(found.data, {"filter_overlong_prompts_workers": 1})
    read = RLHFDataset(str(folder / "train.parquet"), tokenizer=tiny_tokenizer(), config=data)
    assert len(read) == 4
    assert read[0]["raw_prompt"] == [{"role": "user", "content": ROWS[4]["prompt"]}]
    assert read[0]["reward_model"]["ground_truth"] == ROWS[4]["reference"]
    assert read[0]["data_source"] == "train"
