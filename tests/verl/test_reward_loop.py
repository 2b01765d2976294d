"""verl's own reward loop on a CPU; `make test-verl` runs this in an environment of its own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf
from tensordict import TensorDict
from verl import DataProto
from verl.experimental.reward_loop.reward_loop import RewardLoopManager, RewardLoopWorker
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.reward import extract_reward

from cabs.errors import CabsError
from cabs.rewards.adapters import verl as adapter
from tests.rewards.adapters.reports import HALF, RECORD, REFERENCE, WRONG, as_json
from tests.rewards.adapters.tiny import tiny_tokenizer

PATHS = {"package": "pkg://cabs.rewards.adapters.verl", "file": adapter.__file__}
TRUTHS = [REFERENCE, as_json(), "lorem ipsum", WRONG]
SAID = [REFERENCE, HALF, HALF, WRONG]
LENGTH = 256


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory):
    """The folder of a tokenizer, and the tokenizer."""
    folder, made = tmp_path_factory.mktemp("model"), tiny_tokenizer()
    made.save_pretrained(folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3"}))
    return folder, made


def config(folder: Path, path: str, name: str = "compute_score", manager: str = "naive", **reward_kwargs):
    function = {"path": path, "name": name, "reward_kwargs": reward_kwargs}
    return OmegaConf.create(
        {
            "actor_rollout_ref": {"model": {"path": str(folder), "tokenizer_path": None}},
            "reward": {
                "num_workers": 2,
                "custom_reward_function": function,
                "reward_manager": {"source": "register", "name": manager, "module": None},
                "reward_model": {"enable": False},
                "sandbox_fusion": None,
                "reward_kwargs": {"overlong_buffer_cfg": {"enable": False}, "max_resp_len": LENGTH},
            },
            "trainer": {"experiment_name": "test"},
        }
    )


def batch(tokenizer, truths=TRUTHS, said=SAID, extra=None) -> DataProto:
    """What the rollout hands to the reward: ids, masks, and the columns of the data."""
    responses = torch.full((len(said), LENGTH), tokenizer.pad_token_id)
    mask = torch.zeros(len(said), LENGTH, dtype=torch.long)
    for at, text in enumerate(said):
        ids = [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]
        responses[at, : len(ids)] = torch.tensor(ids)
        mask[at, : len(ids)] = 1
    prompts = torch.ones(len(said), 4, dtype=torch.long)
    tensors = {
        "prompts": prompts,
        "responses": responses,
        "attention_mask": torch.cat([torch.ones_like(prompts), mask], 1),
    }
    columns = {
        "data_source": ["reports"] * len(said),
        "reward_model": [{"ground_truth": truth} for truth in truths],
        "extra_info": [dict(one) for one in (extra or [{}] * len(said))],
    }
    objects = {name: np.array([*values, None], dtype=object)[:-1] for name, values in columns.items()}
    return DataProto(batch=TensorDict(tensors, batch_size=len(said)), non_tensor_batch=objects)


def scored(configuration, data: DataProto) -> list[dict]:
    async def run() -> list[dict]:
        return await RewardLoopWorker(configuration).compute_score_batch(data)

    return asyncio.run(run())


@pytest.mark.parametrize("path", PATHS.values(), ids=list(PATHS))
@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
def test_the_loop_takes_it_and_gets_what_a_call_gives(path, name, tokenizer) -> None:
    folder, made = tokenizer
    outputs = scored(config(folder, path, name), batch(made))
    direct = [adapter.compute_score("reports", said, truth, {}) for said, truth in zip(SAID, TRUTHS, strict=True)]
    assert [output["reward_extra_info"] for output in outputs] == direct
    assert [output["reward_score"] for output in outputs] == [found["score"] for found in direct]
    assert outputs[0]["reward_score"] == 1.0 > outputs[1]["reward_score"] > outputs[2]["reward_score"] == 0.0


@pytest.mark.parametrize("manager", ["naive", "dapo", "gdpo"])
def test_the_keyword_arguments_of_the_configuration(manager, tokenizer, tmp_path) -> None:
    folder, made = tokenizer
    configuration = config(folder, PATHS["package"], manager=manager, reward="tif_paper", scale="unit", fallback=0.5)
    outputs = scored(configuration, batch(made))
    assert outputs[2]["reward_score"] == 0.5
    assert outputs[2]["reward_extra_info"]["cabs_unscored"] == 1.0
    assert outputs[0]["reward_score"] > 0.9


def test_the_record_of_tif_and_rollouts_that_share_it(tokenizer) -> None:
    folder, made = tokenizer
    data = batch(made, [WRONG] * 4, [HALF, HALF, WRONG, HALF], [RECORD] * 4)
    values = [output["reward_score"] for output in scored(config(folder, PATHS["package"]), data)]
    assert values[0] == values[1] == values[3] > 0.5 > values[2]
    assert data.non_tensor_batch["extra_info"][0]["info"] is RECORD["info"]


def test_a_failure_raises_only_where_it_is_asked_for(tokenizer) -> None:
    folder, made = tokenizer
    with pytest.raises(CabsError, match="was not read"):
        scored(config(folder, PATHS["package"], raise_on_failure=True), batch(made))


def test_workers_of_ray_and_the_metrics_of_the_validation(tokenizer) -> None:
    import ray

    folder, made = tokenizer
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": "."}})
    try:
        data = batch(made)
        found = data.union(RewardLoopManager(config(folder, PATHS["package"])).compute_rm_score(data))
    finally:
        ray.shutdown()
    rewards, extra = extract_reward(found)
    assert rewards.sum(-1).tolist() == pytest.approx(extra["score"].tolist())
    lists = {"reward": rewards.sum(-1).tolist(), **{key: values.tolist() for key, values in extra.items()}}
    metrics = process_validation_metrics(["reports"] * 4, ["a", "a", "b", "b"], lists)["reports"]
    assert metrics["cabs_unscored"]["mean@2"] == 0.25
    assert np.isfinite(list(metrics["score"].values())).all()
