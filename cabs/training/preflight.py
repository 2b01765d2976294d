"""Everything that can be known before a model is loaded: the configuration, the data, the reward on a few rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.rewards import Example, Reward, RewardResult
from cabs.training.arguments import check_keys, installed, missing_note
from cabs.training.config import Run
from cabs.training.media import video_blocks
from cabs.training.rows import Row, read_rows

TRIED = 8
"""Rows whose reward is computed."""
SLACK = 1e-6


@dataclass(frozen=True)
class Preflight:
    """What was found. `train`, `held_out`, `sft`: the rows. `rewards`: of the first rows, each reference taken as the
    completion. `warnings`: what does not stop a run, and may spoil it."""

    run: Run
    train: tuple[Row, ...]
    held_out: tuple[Row, ...]
    sft: tuple[Row, ...]
    reward: Reward
    rewards: tuple[RewardResult, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As a page, without a word of the data."""
        return {
            "rows": {"train": len(self.train), "held_out": len(self.held_out), "sft": len(self.sft)},
            "images": sum(len(row.images) for row in (*self.train, *self.held_out)),
            "reward": {
                "signature": self.reward.signature,
                "bounds": list(self.reward.bounds),
                "of_references": [{"value": found.value, "status": found.status} for found in self.rewards],
            },
            "warnings": list(self.warnings),
        }


def preflight(run: Run) -> Preflight:
    """Check a configuration and what it names; nothing is written and no model is loaded.

    Raises:
        InputError: something would stop the run: a key of a trainer, a file, a row, a missing image, a video.
    """
    if installed():
        check_keys(run)
    config = run.config
    train = read_rows(run, config.data.train)
    held_out = read_rows(run, config.data.eval, "data.eval") if config.data.eval is not None else []
    if config.evaluation is not None and config.evaluation.rows is not None:
        held_out = held_out[: config.evaluation.rows]
    sft = read_rows(run, config.sft.train, "sft.train") if config.sft is not None and config.sft.train else []
    for row in (*train, *held_out, *sft):
        _check_row(row)
    reward = run.reward()
    found = reward.score_batch([_as_example(row) for row in train[:TRIED]])
    told = (*_of_rewards(reward, train, found), *_of_model(run, train), *_of_data(train, held_out))
    note = missing_note()
    return Preflight(
        run, tuple(train), tuple(held_out), tuple(sft), reward, tuple(found), (*told, *([note] * bool(note)))
    )


def _check_row(row: Row) -> None:
    if row.videos or video_blocks(row.prompt):
        hint = (
            "name images (cabs slices makes them of a volume), or export the run: cabs export verl, which takes videos"
        )
        what = "holds a video, which TRL would leave out of the training step without a word"
        raise InputError(what, place=row.place, hint=hint)
    blocks = [b for m in row.prompt if isinstance(m["content"], list) for b in m["content"]]
    if blocks and sum(b.get("type") == "image" and "image" not in b for b in blocks) != len(row.images):
        what = f"the prompt has not as many places for images as there are images ({len(row.images)})"
        raise InputError(what, place=row.place, hint='a {"type": "image"} each, or a prompt of text alone')


def _as_example(row: Row) -> Example:
    return Example(row.reference, row.reference, fields=row.columns)


def _of_rewards(reward: Reward, rows: Sequence[Row], found: Sequence[RewardResult]) -> Iterator[str]:
    best = reward.bounds[1]
    for row, result in zip(rows, found, strict=False):
        if result.value is None:
            yield f"{row.place}: {reward.name} has no value: {result.reason}"
        elif best is not None and result.value < best - SLACK:
            said = f"{row.place}: the reference itself gets {result.value:.3f} of {best:g} from {reward.name}"
            yield said + (" (the form is not kept)" if result.components.get("format") == 0.0 else "")


def _of_model(run: Run, rows: Sequence[Row]) -> Iterator[str]:
    """A model in a folder tells whether it sees anything; one of a hub is not asked for."""
    file = Path(run.model) / "config.json"
    if not Path(run.model).is_dir():
        return
    if not file.is_file():
        hint = "name a folder as transformers saves it; an adapter is laid into its model first"
        raise InputError(f"there is no config.json in {run.model!r}", place=run.place("model", "path"), hint=hint)
    try:
        sees = "vision_config" in json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError("not readable as JSON", place=str(file)) from None
    if any(row.images for row in rows) and not sees:
        raise InputError("there are images, and the model takes none", place=run.place("model", "path"))
    if sees and not any(row.images for row in rows):
        yield "the model takes images, and no row has any"


def _of_data(train: Sequence[Row], held_out: Sequence[Row]) -> Iterator[str]:
    said = {(json.dumps(row.prompt, sort_keys=True), row.images, row.reference) for row in train}
    both = sum((json.dumps(row.prompt, sort_keys=True), row.images, row.reference) in said for row in held_out)
    if both:
        yield f"{both} of {len(held_out)} held-out rows are among the training rows"
