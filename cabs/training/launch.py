"""A checked run → a trained model: the cold start if there is one, then the rewards, each from where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accelerate import PartialState

from cabs.training.arguments import check_values
from cabs.training.cold_start import cold_start
from cabs.training.held_out import forget_after
from cabs.training.models import kept_apart
from cabs.training.outputs import FINISHED, MODEL, begin, newest, put
from cabs.training.preflight import Preflight
from cabs.training.rewarded import trainer_of

Tell = Callable[[str], object]


def launch(found: Preflight, *, fresh: bool = False, tell: Tell = lambda _: None) -> Path:
    """Train, or go on with what was stopped; the folder of the model (with LoRA: of its adapter).

    Raises:
        CabsError: the folder holds something else, TRL refuses a value; what torch raises is not caught.
    """
    run = found.run
    check_values(run)
    state = PartialState()  # the settings of the trainers have made it: whether there are GPUs stands there
    told = tell if state.is_main_process else lambda _: None
    with state.main_process_first():  # the others see a folder that is ready
        begin(run, fresh=fresh and state.is_main_process)
    folder = run.output
    if _finished(folder, dict(run.config.trainer)):
        told(f"the run is finished: {folder / MODEL}; --fresh starts anew")
        return folder / MODEL
    model = run.model if run.config.sft is None else cold_start(run, found.sft or found.train, told)
    trainer = trainer_of(found, model)
    checkpoint = newest(folder)
    if state.is_main_process:
        forget_after(folder, _step(checkpoint))
    if checkpoint is not None:
        told(f"going on from {checkpoint}")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    with kept_apart(folder / MODEL) as place:
        trainer.save_model(str(place))
    if state.is_main_process:
        put(folder / FINISHED, {"step": trainer.state.global_step, "trainer": dict(run.config.trainer)})
    told(f"model written to {folder / MODEL}")
    return folder / MODEL


def _step(checkpoint: Path | None) -> int:
    return -1 if checkpoint is None else int(checkpoint.name.removeprefix("checkpoint-"))


def _finished(folder: Path, trainer: dict[str, Any]) -> bool:
    """Whether an earlier run of the same keys has come to its end; other keys (more steps) go on from there."""
    try:
        page = json.loads((folder / FINISHED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(page["trainer"] == trainer) and (folder / MODEL).is_dir()
