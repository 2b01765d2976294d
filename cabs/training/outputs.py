"""The folder of a run: what it holds, whether it is a run's of this configuration, and where it goes on."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cabs.errors import InputError, OutputError
from cabs.io.jsontext import json_page
from cabs.io.output import file_output, write_bytes, writing
from cabs.training.config import Run

SETTINGS, FINISHED = "run.json", "finished.json"
MODEL, COLD = "model", "sft"
EVALUATION, HELD_OUT = "evaluation.jsonl", "held_out.jsonl"
MADE = (MODEL, COLD, "completions", "checkpoint-*", EVALUATION, HELD_OUT, FINISHED, SETTINGS, "README.md", ".*.tmp")
"""Everything that a run leaves; the record of its settings goes last when a folder is cleared."""


def settings(run: Run) -> dict[str, Any]:
    """What must not change between a run and one that goes on with it: the model, the data by content, the reward, the
    method, the cold start and the seed."""
    config = run.config
    data = {
        **config.data.model_dump(),
        "train": _digest(run, config.data.train),
        "eval": _digest(run, config.data.eval),
    }
    sft = None if config.sft is None else {**config.sft.model_dump(), "train": _digest(run, config.sft.train)}
    return {
        "model": config.model.model_dump(),
        "data": data,
        "reward": run.reward().signature,
        "method": config.method,
        "sft": sft,
        "seed": config.seed,
    }


def _digest(run: Run, name: str | None) -> str | None:
    if name is None:
        return None
    with run.path(name).open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def begin(run: Run, *, fresh: bool) -> None:
    """Make the folder of a run ready: a new one, one whose run goes on, or (`fresh`) one that is cleared of its run.

    Raises:
        OutputError: it holds other things than a run's, or can't be written; InputError: its run is of other settings.
    """
    folder, wanted = run.output, settings(run)
    if folder.is_dir() and any(folder.iterdir()):
        _refuse_foreign(folder)
        if fresh:
            clear(folder)
        else:
            _refuse_other(run, wanted)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if not (folder / SETTINGS).exists():
        put(folder / SETTINGS, wanted)


def put(path: Path, page: Mapping[str, Any]) -> None:
    """Write a page of JSON that appears whole or not at all."""
    with file_output(path) as beside:
        write_bytes(beside, json_page(page).encode())


def _refuse_foreign(folder: Path) -> None:
    if not (folder / SETTINGS).is_file():
        hint = "name another output, or remove it yourself"
        raise OutputError("the folder holds something that is no run of cabs train", place=str(folder), hint=hint)


def _refuse_other(run: Run, wanted: Mapping[str, Any]) -> None:
    file = run.output / SETTINGS
    try:
        earlier = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError("not readable as the record of a run", place=str(file), hint="start anew: --fresh") from None
    for name, value in json.loads(json_page(wanted)).items():
        if earlier.get(name) != value:
            what = f"the run in {run.output} was begun with another {_first_other(earlier.get(name), value, name)}"
            raise InputError(what, place=run.place(name), hint="name another output, or start anew: --fresh")


def _first_other(earlier: Any, value: Any, name: str) -> str:
    if isinstance(earlier, Mapping) and isinstance(value, Mapping):
        key = next(key for key in value if earlier.get(key) != value[key])
        return f"{name}.{key} ({earlier.get(key)!r}, now {value[key]!r})"
    return f"{name} ({earlier!r}, now {value!r})"


def clear(folder: Path) -> None:
    """Remove what a run has left in its folder, and nothing else."""
    with writing(folder):
        for pattern in MADE:
            for path in folder.glob(pattern):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def newest(folder: Path) -> Path | None:
    """The newest checkpoint that is whole; None where there is none. Its state is the last file that is written."""
    return max(_whole(folder), key=_step, default=None)


def _whole(folder: Path) -> Iterator[Path]:
    for path in folder.glob("checkpoint-*"):
        if path.name.removeprefix("checkpoint-").isdigit() and _state(path) is not None:
            yield path


def _state(checkpoint: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.removeprefix("checkpoint-"))
