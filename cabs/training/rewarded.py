"""GRPO and RLOO over TRL: the trainers, with what a run adds to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accelerate.utils import broadcast_object_list, gather_object
from peft import LoraConfig
from torch.utils.data import Sampler
from transformers import TrainerCallback
from trl import GRPOTrainer, RLOOTrainer

from cabs.rewards.adapters.trl import trl_reward
from cabs.training.arguments import trainer_arguments
from cabs.training.config import Run
from cabs.training.decoding import at_temperature
from cabs.training.held_out import HeldOut, scored, write_evaluation
from cabs.training.models import ends_of, processor_of
from cabs.training.preflight import Preflight
from cabs.training.table import rewarded_table

PREFIX = "eval_cabs/"
"""Of the logged metrics; trackers show it as eval/cabs/."""


class EpochSampler(Sampler):  # type: ignore[misc]  # torch is not seen by the type checker
    """TRL's sampler with the order of each epoch from the seed and the epoch alone, as a run that goes on in a later
    one needs it; the first epoch is in TRL's own order."""

    def __init__(self, inner: Any, seed: int) -> None:
        self.inner, self.seed, self.epoch = inner, seed, 0

    def __iter__(self) -> Iterator[int]:
        if hasattr(self.inner, "generator"):
            self.inner.generator.manual_seed(self.seed + self.epoch)
        return iter(self.inner)

    def __len__(self) -> int:
        return len(self.inner)


class _Epochs(TrainerCallback):  # type: ignore[misc]  # neither is transformers
    def __init__(self, trainer: Any) -> None:
        self.trainer = trainer

    def on_epoch_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        sampler = self.trainer.sampler
        if sampler is not None:
            sampler.epoch = int((state.epoch or 0.0) + 1e-6)


class _Run:
    """What a run adds to a trainer of TRL."""

    run: Run
    held_out: HeldOut
    sampler: EpochSampler | None = None

    def _get_train_sampler(self, *args: Any) -> Any:
        inner = super()._get_train_sampler(*args)  # type: ignore[misc]
        self.sampler = EpochSampler(inner, self.args.seed)  # type: ignore[attr-defined]
        return self.sampler

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        """TRL's evaluation, with the scores of CABS beside it."""
        evaluation = self.run.config.evaluation
        self.held_out.open = True
        try:
            with at_temperature(self, None if evaluation is None else evaluation.temperature):
                found: dict[str, float] = super().evaluate(*args, **kwargs)  # type: ignore[misc]
        finally:
            self.held_out.open = False
        extra = {f"{PREFIX}{name}": value for name, value in self._scores().items()}
        self.log(dict(extra))  # type: ignore[attr-defined]
        return {**found, **extra}

    def _scores(self) -> dict[str, float]:
        evaluation = self.run.config.evaluation
        texts = gather_object(self.held_out.taken())
        told: list[Any] = [{}]
        if self.accelerator.is_main_process and evaluation is not None:  # type: ignore[attr-defined]
            told[0], signature = scored(texts, evaluation.metrics)
            step = self.state.global_step  # type: ignore[attr-defined]
            write_evaluation(self.run.output, step, told[0], signature, texts, whole=evaluation.texts)
        found: dict[str, float] = broadcast_object_list(told)[0]
        return found


class RunGRPO(_Run, GRPOTrainer):  # type: ignore[misc]
    """TRL's GRPO in a run."""


class RunRLOO(_Run, RLOOTrainer):  # type: ignore[misc]
    """TRL's RLOO in a run."""


KINDS = {"grpo": RunGRPO, "rloo": RunRLOO}


def trainer_of(found: Preflight, model: str) -> Any:
    """The trainer of a checked run that begins with `model`.

    Raises:
        InputError: TRL refuses a value, or checkpoints would fall between two generations.
    """
    run = found.run
    kind = KINDS[run.config.method]
    watched = bool(found.held_out) and run.config.evaluation is not None
    args = trainer_arguments(run, held_out=watched)
    processor = processor_of(model, args, run.place("model", "path"))
    reward = _reward(run, ends_of(model, processor))
    lora = run.config.model.lora
    trainer: Any = kind(
        model=model,
        reward_funcs=reward,
        args=args,
        train_dataset=rewarded_table(found.train),
        eval_dataset=rewarded_table(found.held_out) if watched else None,
        processing_class=processor,
        peft_config=None if lora is None else LoraConfig(**{"task_type": "CAUSAL_LM", **lora}),
    )
    trainer.run, trainer.held_out = run, reward
    trainer.add_callback(_Epochs(trainer))
    return trainer


def _reward(run: Run, ends: set[int]) -> HeldOut:
    asked = run.config.reward
    return HeldOut(
        trl_reward(
            asked.name,
            reference="reference",
            truncated=asked.truncated,
            scale=asked.scale,
            eos_token_id=ends,
            **asked.options,
        )
    )
