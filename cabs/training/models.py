"""Models and what reads and writes for them, on one rank and on many."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import transformers
from accelerate import PartialState

from cabs.errors import InputError


def processor_of(model: str, args: Any, place: str) -> Any:
    """The processor of a model that sees, the tokenizer of one that does not; padded on the left, as TRL asks.

    Raises:
        InputError: there is no such model; `place` is where it is named.
    """
    trusted = bool(getattr(args, "trust_remote_code", False))
    revision = (args.model_init_kwargs or {}).get("revision")
    try:
        return transformers.AutoProcessor.from_pretrained(
            model, padding_side="left", truncation_side="left", trust_remote_code=trusted, revision=revision
        )
    except (OSError, ValueError) as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        hint = "a folder as transformers saves it, or a name on a hub that is reached from here"
        raise InputError(f"{model!r} can't be loaded: {said}", place=place, hint=hint) from None


def tokenizer_in(processor: Any) -> Any:
    """The tokenizer of a processor, which may be one."""
    return getattr(processor, "tokenizer", processor)


def ends_of(model: str, processor: Any) -> set[int]:
    """Every id that ends a text of this model: the tokenizer's, and those of its generation settings."""
    found = {tokenizer_in(processor).eos_token_id}
    try:
        given = transformers.GenerationConfig.from_pretrained(model).eos_token_id
    except OSError:  # the model has none
        given = None
    found |= set(given) if isinstance(given, list) else {given}
    return {int(one) for one in found if one is not None}


@contextmanager
def kept_apart(folder: Path) -> Iterator[Path]:
    """Where to write a folder that appears under its name when the block ends well, on every rank, and not at all
    otherwise."""
    state = PartialState()
    beside = folder.with_name(f".{folder.name}.tmp")
    if state.is_main_process:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
    state.wait_for_everyone()
    yield beside
    state.wait_for_everyone()
    if state.is_main_process:
        shutil.rmtree(folder, ignore_errors=True)
        beside.replace(folder)
    state.wait_for_everyone()
