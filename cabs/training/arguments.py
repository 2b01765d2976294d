"""The keys of TRL, transformers and peft: which there are, and which ones a run sets itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from importlib.util import find_spec
from typing import Any

from cabs.errors import InputError, MissingExtraError
from cabs.metrics.needs import Needs
from cabs.registry import offer
from cabs.training.config import Run
from cabs.training.schema import Keys

NEEDS = Needs(
    "train",
    tuple((name, name) for name in ("accelerate", "datasets", "peft", "torch", "transformers", "trl")),
)
"""What a run needs; checks and exports need none of it."""

OWN = {
    "output_dir": "output",
    "seed": "seed",
    "resume_from_checkpoint": "cabs train --fresh, or an earlier run in output",
    "model_init_kwargs": "model.load",
    "eval_strategy": "evaluation.every",
    "eval_steps": "evaluation.every",
    "num_generations_eval": "evaluation, one text a row",
    "do_eval": "evaluation",
    "remove_unused_columns": "nothing: rewards may need every column",
    "reward_weights": "nothing: there is one reward",
}
"""Keys that a run sets itself, and what of the configuration says it."""


def installed() -> bool:
    """Whether TRL is there."""
    return find_spec("trl") is not None and find_spec("torch") is not None


def check_installed(place: str = "cabs train") -> None:
    """Raises `MissingExtraError` where something that trains is missing."""
    NEEDS.check(place)


def check_keys(run: Run) -> None:
    """See that every key of TRL's and peft's is one of theirs, and none that the run sets itself.

    Raises:
        InputError: one is not; the hint offers the nearest. MissingExtraError: TRL isn't installed.
    """
    check_installed()
    import peft
    import trl

    config = run.config
    kind = trl.GRPOConfig if config.method == "grpo" else trl.RLOOConfig
    _check(config.trainer, kind, run.place("trainer"))
    if config.sft is not None:
        _check(config.sft.trainer, trl.SFTConfig, run.place("sft", "trainer"))
    if config.model.lora is not None:
        _check(config.model.lora, peft.LoraConfig, run.place("model", "lora"))


def _check(given: Mapping[str, Any], kind: Any, place: str) -> None:
    known = [field.name for field in fields(kind) if field.init]
    for key in given:
        if key in OWN and key in known:
            raise InputError("a run sets this itself", place=f"{place}.{key}", hint=f"see {OWN[key]}")
        if key not in known:
            what = f"{kind.__name__} has no such key"
            raise InputError(what, place=f"{place}.{key}", hint=offer(key, known))


def grpo_keys(run: Run, *, held_out: bool) -> Keys:
    """Every key of the trainer of rewards: those of the configuration and those that the run sets."""
    config = run.config
    own: Keys = {
        "output_dir": str(run.output),
        "seed": config.seed,
        "remove_unused_columns": False,
        "report_to": "none",
        **config.trainer,
        "model_init_kwargs": dict(config.model.load) or None,
    }
    if held_out and config.evaluation is not None:
        own |= {"eval_strategy": "steps", "eval_steps": config.evaluation.every, "num_generations_eval": 1}
    return own


def sft_keys(run: Run) -> Keys:
    """The same of the cold start, which stands in a folder of its own."""
    config = run.config
    given = config.sft.trainer if config.sft is not None else {}
    own = {"output_dir": str(run.output / "sft"), "seed": config.seed, "report_to": "none"}
    return own | given | {"model_init_kwargs": dict(config.model.load) or None}


def made(run: Run, kind: Any, keys: Keys, section: str) -> Any:
    """The trainer's own settings.

    Raises:
        InputError: it refuses a value, or two that don't go together, in its own words.
    """
    try:
        return kind(**keys)
    except (ValueError, TypeError, ImportError) as error:
        raise InputError(f"{kind.__name__} says: {error}", place=run.place(section)) from None


def trainer_arguments(run: Run, *, held_out: bool) -> Any:
    """The settings of the trainer of rewards, with checkpoints where a run can go on from.

    Raises:
        InputError: TRL refuses a value, or checkpoints would fall between two generations.
    """
    import trl

    kind = trl.GRPOConfig if run.config.method == "grpo" else trl.RLOOConfig
    args = made(run, kind, grpo_keys(run, held_out=held_out), "trainer")
    check_checkpoints(run, args)
    return args


def sft_arguments(run: Run) -> Any:
    """The settings of the trainer of the cold start.

    Raises:
        InputError: TRL refuses a value.
    """
    import trl

    return made(run, trl.SFTConfig, sft_keys(run), "sft.trainer")


def check_values(run: Run) -> None:
    """See that both trainers take their values, before either begins.

    Raises:
        InputError: one does not.
    """
    trainer_arguments(run, held_out=run.config.data.eval is not None)
    if run.config.sft is not None:
        sft_arguments(run)


def check_checkpoints(run: Run, args: Any) -> None:
    """See that checkpoints are made where texts are made: a run that goes on between them would write new ones and end
    with other parameters than one that was never stopped.

    Raises:
        InputError: they are not.
    """
    unit = unit_of(args.steps_per_generation * getattr(args, "num_iterations", 1), args.gradient_accumulation_steps)
    place = run.place("trainer", "save_steps")
    if unit is None:
        hint = "let one of gradient_accumulation_steps and steps_per_generation × num_iterations divide the other"
        raise InputError("a run could not be resumed: steps and generations never meet", place=place, hint=hint)
    if str(getattr(args.save_strategy, "value", args.save_strategy)) == "steps" and args.save_steps % unit:
        what = f"a checkpoint every {args.save_steps} steps falls between two generations"
        raise InputError(what, place=place, hint=f"a multiple of {unit}")


def unit_of(every: int, accumulated: int) -> int | None:
    """Steps of the optimiser from one generation to the next that begins with a step, for generations of `every`
    batches and steps of `accumulated`; None where neither divides the other.

    >>> unit_of(4, 4), unit_of(8, 2), unit_of(1, 4), unit_of(4, 3)
    (1, 4, 1, None)
    """
    if every % accumulated and accumulated % every:
        return None
    return every // math.gcd(every, accumulated)


def missing_note() -> str:
    """What is not checked where TRL isn't installed; "" where it is."""
    try:
        check_installed()
    except MissingExtraError as error:
        return f"keys of trainer, sft and lora are not checked: {error.message}; {error.hint}"
    return ""
