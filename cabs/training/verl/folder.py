"""The folder of an exported run: tables, a script a recipe, a script for a cluster, and a record of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cabs.errors import InputError, MissingExtraError
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes, writing
from cabs.training.config import Run
from cabs.training.outputs import settings
from cabs.training.rows import Row, read_rows
from cabs.training.verl.recipes import ADDED, RECIPES, REWARD, recipe, untranslated
from cabs.training.verl.rows import verl_rows
from cabs.training.verl.scripts import cluster, script

TRAIN, HELD_OUT, CLUSTER, RECORD, LOG = "train.parquet", "val.parquet", "cluster.sh", "export.json", "rewards.jsonl"
FILES = (TRAIN, HELD_OUT, *(f"{name}.sh" for name in RECIPES), CLUSTER, RECORD)
NAMES = {"grpo": "GRPO", "rloo": "RLOO", "remax": "ReMax", "reinforce_plus_plus": "REINFORCE++"}


def export_verl(run: Run, folder: Path) -> dict[str, Any]:
    """Write a run for verl; the record of it. Keys of the trainer that are not translated stand in it.

    Raises:
        InputError: the configuration or a row can't be exported; OutputError: the folder can't be written.
    """
    data = run.config.data
    train = read_rows(run, data.train)
    held_out = read_rows(run, data.eval, "data.eval") if data.eval is not None else []
    media = any(row.images or row.videos for row in (*train, *held_out))
    video = any(row.videos for row in (*train, *held_out))
    files = {"data.train_files": TRAIN, "data.val_files": HELD_OUT if held_out else TRAIN}
    files[f"{ADDED}{REWARD}.reward_kwargs.log"] = LOG
    seen = {"media": media, "video": video, "held_out": bool(held_out)}
    recipes = {name: recipe(run, name, **seen) for name in RECIPES}
    page = {
        "schema_version": 1,
        "rows": {"train": len(train), "held_out": len(held_out)},
        "settings": settings(run),
        "not_translated": untranslated(run),
    }
    with staged(folder, RECORD, FILES) as staging:
        _write_table(staging.path(TRAIN), run, train, "train", data.train)
        if held_out and data.eval is not None:
            _write_table(staging.path(HELD_OUT), run, held_out, "val", data.eval)
        for name, keys in recipes.items():
            own = files | {"trainer.default_local_dir": f"checkpoints/{name}"}
            _write_script(staging.path(f"{name}.sh"), script(f"{name}.sh", f"{NAMES[name]} in verl.", keys, own))
        _write_script(staging.path(CLUSTER), cluster(run.config.verl.nodes, run.config.verl.gpus))
        write_bytes(staging.path(RECORD), json_page(page).encode())
    return page


def _write_script(path: Path, text: str) -> None:
    write_bytes(path, text.encode())
    with writing(path):
        path.chmod(0o755)


def _write_table(path: Path, run: Run, rows: Sequence[Row], split: str, name: str) -> None:
    """A Parquet table; pictures as verl reads them have a type for the whole column."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError(f"Parquet needs pyarrow ({error})", hint="pip install pyarrow") from None
    file = run.path(name)
    told = list(verl_rows(rows, file.stem, split, file.parent))
    kept = [{key: value for key, value in row.items() if any(other[key] for other in told)} for row in told]
    try:
        table = pa.Table.from_pylist(kept)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        what = f"a column has values of several types: {str(error).splitlines()[0]}"
        raise InputError(what, place=str(file), hint="give each column one type") from None
    with writing(path):
        parquet.write_table(table, path)
