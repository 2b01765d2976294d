"""The settings of a run as verl's own keys, for each way to estimate advantages.

Names and defaults are those of verl 0.9; ReMax's greedy baseline exists in its older trainer alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cabs.errors import InputError
from cabs.io.record import kind_of
from cabs.training.config import Run
from cabs.training.schema import Keys

ACTOR, ROLLOUT, MODEL = "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.model"
REWARD = "reward.custom_reward_function"
ADDED = "+"
"""Before a key that verl's configuration does not have yet."""

_IN_LOSS = {"algorithm.use_kl_in_reward": False, f"{ACTOR}.use_kl_loss": True, f"{ACTOR}.kl_loss_type": "low_var_kl"}
_IN_REWARD = {"algorithm.use_kl_in_reward": True, f"{ACTOR}.use_kl_loss": False}

RECIPES: Mapping[str, Keys] = MappingProxyType(
    {
        "grpo": {"algorithm.adv_estimator": "grpo", **_IN_LOSS},
        "rloo": {"algorithm.adv_estimator": "rloo", **_IN_REWARD},
        "remax": {"algorithm.adv_estimator": "remax", "trainer.use_v1": False, **_IN_REWARD},
        "reinforce_plus_plus": {"algorithm.adv_estimator": "reinforce_plus_plus", **_IN_REWARD},
    }
)
"""What a recipe differs in."""

TRANSLATED: Mapping[str, str] = MappingProxyType(
    {
        "num_generations": f"{ROLLOUT}.n",
        "temperature": f"{ROLLOUT}.temperature",
        "top_p": f"{ROLLOUT}.top_p",
        "max_completion_length": "data.max_response_length",
        "learning_rate": f"{ACTOR}.optim.lr",
        "num_train_epochs": "trainer.total_epochs",
        "max_steps": "trainer.total_training_steps",
        "save_steps": "trainer.save_freq",
        "save_total_limit": "trainer.max_actor_ckpt_to_keep",
    }
)
"""Keys of TRL that have the same meaning in verl."""


def recipe(run: Run, name: str, *, media: bool, video: bool, held_out: bool) -> Keys:
    """Every key of a recipe, those of `verl.options` last. `media`: rows have pictures; `held_out`: there are rows to
    validate on.

    Raises:
        InputError: an option of the reward is neither a word nor a number.
    """
    config = run.config
    keys: Keys = {
        **RECIPES[name],
        **_data(run, media=media),
        **_model(run, video=video),
        **_kl(run, name),
        **_reward(run),
        **_trainer(run, name, held_out=held_out),
        **{TRANSLATED[key]: value for key, value in config.trainer.items() if key in TRANSLATED},
    }
    return keys | config.verl.options


def untranslated(run: Run) -> list[str]:
    """The keys of the trainer that verl has no counterpart for here."""
    return [key for key in run.config.trainer if key not in TRANSLATED and key != "beta"]


def _data(run: Run, *, media: bool) -> Keys:
    keys: Keys = {
        "data.train_batch_size": run.config.verl.batch,
        "data.max_prompt_length": 8192 if media else 2048,
        "data.max_response_length": 1024,
        "data.filter_overlong_prompts": True,
        "data.truncation": "error",
        "data.seed": run.config.seed,
    }
    return keys | (
        {"data.image_key": "images", "data.video_key": "videos", "data.image_patch_size": 16} if media else {}
    )


def _model(run: Run, *, video: bool) -> Keys:
    keys: Keys = {
        f"{MODEL}.path": run.model,
        f"{MODEL}.use_remove_padding": not video,
        f"{MODEL}.enable_gradient_checkpointing": True,
        f"{ACTOR}.optim.lr": 1e-6,
        f"{ACTOR}.ppo_mini_batch_size": run.config.verl.batch,
        f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
        f"{ROLLOUT}.name": "vllm",
        f"{ROLLOUT}.n": 8,
        f"{ROLLOUT}.gpu_memory_utilization": 0.6,
        f"{ROLLOUT}.tensor_model_parallel_size": 1,
        f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": 1,
        "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": 1,
    }
    lora = run.config.model.lora or {}
    named = {"r": "lora_rank", "lora_alpha": "lora_alpha", "target_modules": "target_modules"}
    return keys | {f"{MODEL}.{theirs}": lora[ours] for ours, theirs in named.items() if ours in lora}


def _kl(run: Run, name: str) -> Keys:
    beta = run.config.trainer.get("beta", 0.001)
    if name == "grpo":
        return {f"{ACTOR}.use_kl_loss": bool(beta), f"{ACTOR}.kl_loss_coef": beta}
    return {"algorithm.use_kl_in_reward": bool(beta), "algorithm.kl_ctrl.kl_coef": beta}


def _reward(run: Run) -> Keys:
    """The reward's name and policy, and its options beside them, as `compute_score` takes them."""
    asked = run.config.reward
    for name, value in asked.options.items():
        if not isinstance(value, str | int | float):
            place = run.place("reward", "options", name)
            raise InputError(f"{kind_of(value)} can't be handed to verl", place=place, hint="a word or a number")
    kwargs = {"reward": asked.name, "truncated": asked.truncated, "scale": asked.scale, **asked.options}
    return {
        f"{REWARD}.path": "pkg://cabs.rewards.adapters.verl",
        f"{REWARD}.name": "compute_score",
        "reward.num_workers": 8,
        **{f"{ADDED}{REWARD}.reward_kwargs.{name}": value for name, value in kwargs.items()},
    }


def _trainer(run: Run, name: str, *, held_out: bool) -> Keys:
    evaluation = run.config.evaluation
    every = evaluation.every if evaluation is not None and held_out else -1
    return {
        "trainer.project_name": "cabs",
        "trainer.experiment_name": f"{run.output.name}_{name}",
        "trainer.logger": ["console"],
        "trainer.nnodes": run.config.verl.nodes,
        "trainer.n_gpus_per_node": run.config.verl.gpus,
        "trainer.total_epochs": 3,
        "trainer.save_freq": 100,
        "trainer.test_freq": every,
        "trainer.val_before_train": every > 0,
    }
