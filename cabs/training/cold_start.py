"""The cold start: fine-tuning on the references before the rewards; its model is what the rewards begin with."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import transformers
from accelerate import PartialState
from peft import LoraConfig, PeftModel
from trl import SFTTrainer

from cabs.training.arguments import sft_arguments
from cabs.training.config import Run
from cabs.training.models import kept_apart, processor_of, tokenizer_in
from cabs.training.outputs import COLD, MODEL, newest
from cabs.training.rows import Row
from cabs.training.table import answered_table
from cabs.training.weighted import WeightedTrainer, Weights


def cold_start(run: Run, rows: Sequence[Row], tell: Callable[[str], object]) -> str:
    """The folder of the fine-tuned model, made now or by an earlier run; a stopped one goes on."""
    folder = run.output / COLD
    if (folder / MODEL).is_dir():
        tell(f"the cold start is done: {folder / MODEL}")
        return str(folder / MODEL)
    trainer = _trainer(run, rows)
    checkpoint = newest(folder)
    if checkpoint is not None:
        tell(f"the cold start goes on from {checkpoint}")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    with kept_apart(folder / MODEL) as place:
        trainer.save_model(str(place))
        _whole(run, place)
    tell(f"cold start written to {folder / MODEL}")
    return str(folder / MODEL)


def _trainer(run: Run, rows: Sequence[Row]) -> Any:
    args = sft_arguments(run)
    processor = processor_of(run.model, args, run.place("model", "path"))
    lora, sft = run.config.model.lora, run.config.sft
    weight = None if sft is None else sft.abnormal_weight
    trainer = (SFTTrainer if weight is None else WeightedTrainer)(
        model=run.model,
        args=args,
        train_dataset=answered_table(rows),
        processing_class=processor,
        peft_config=None if lora is None else LoraConfig(**{"task_type": "CAUSAL_LM", **lora}),
    )
    if weight is not None:
        trainer.weights = Weights(tokenizer_in(processor), weight)
    return trainer


def _whole(run: Run, place: Path) -> None:
    """Lay an adapter into its model, once and on one rank: the rewards begin with a whole model and an adapter of their
    own, so that what they are held to is the fine-tuned model."""
    if run.config.model.lora is None or not PartialState().is_main_process:
        return
    config = transformers.AutoConfig.from_pretrained(run.model)
    kind = getattr(transformers, config.architectures[0])
    load = {"dtype": "auto", **run.config.model.load}
    merged = PeftModel.from_pretrained(kind.from_pretrained(run.model, **load), str(place)).merge_and_unload()
    for file in place.glob("adapter_*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    merged.save_pretrained(str(place))
