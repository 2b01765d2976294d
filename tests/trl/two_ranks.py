"""Two steps of GRPO on two ranks, one of which has nothing to score; `test_ranks.py` launches it and reads its log."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from cabs.rewards.adapters.trl import trl_reward
from tests.rewards.adapters.reports import REFERENCE
from tests.rewards.adapters.tiny import tiny_model, tiny_tokenizer

ROWS = [{"prompt": "Write the report.", "reference": told} for told in (REFERENCE, "lorem ipsum") * 2]


def main(folder: Path) -> None:
    tokenizer = tiny_tokenizer()
    settings = GRPOConfig(
        str(folder),
        num_generations=4,
        per_device_train_batch_size=4,
        max_completion_length=8,
        max_steps=2,
        logging_steps=1,
        shuffle_dataset=False,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
    )
    trainer = GRPOTrainer(
        model=tiny_model(tokenizer),
        reward_funcs=trl_reward("tif"),
        args=settings,
        train_dataset=Dataset.from_list(ROWS),
        processing_class=tokenizer,
    )
    trainer.train()
    if trainer.accelerator.is_main_process:
        extra = {name: list(values) for name, values in trainer._logs["extra"].items()}
        told = {"log": trainer.state.log_history, "extra": extra}
        (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
