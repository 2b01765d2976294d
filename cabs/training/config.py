"""A YAML file → a checked configuration with the places that its paths stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabs.checked import checked, read_plain
from cabs.errors import CabsError, InputError
from cabs.metrics import NAMES
from cabs.registry import offer
from cabs.rewards import Reward, reward
from cabs.training.schema import Config

_POWER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+")
"""A number such as 1e-6, which is text for YAML 1.1."""


@dataclass(frozen=True)
class Run:
    """A configuration with the `file` that it stands in."""

    file: Path
    config: Config

    def place(self, *keys: str) -> str:
        """Where a key stands, for messages."""
        return f"{self.file}: {'.'.join(keys)}"

    def path(self, given: str) -> Path:
        """What a path of the file stands for: it starts at the file's folder."""
        return self.file.parent / Path(given).expanduser()

    @property
    def output(self) -> Path:
        """The folder of the run."""
        return self.path(self.config.output)

    @property
    def model(self) -> str:
        """The model: a folder if there is one of that name, else its name on a hub."""
        local = self.path(self.config.model.path)
        return str(local.resolve()) if local.exists() else self.config.model.path

    def reward(self) -> Reward:
        """The reward.

        Raises:
            CabsError: the name or an option is unknown; the place is the file and the section.
        """
        asked = self.config.reward
        try:
            return reward(asked.name, scale=asked.scale, **asked.options)
        except CabsError as error:
            said = error.message if error.place in ("", "reward") else f"{error.place}: {error.message}"
            raise InputError(said, place=self.place("reward"), hint=error.hint) from None


def read_config(file: Path) -> Run:
    """The configuration in a file. Relative paths in it start at its folder, wherever the program runs.

    Raises:
        InputError: it can't be read, a key is unknown, missing or of another type, or a value does not exist; the place
            is the file and the key.
    """
    run = Run(file, checked(_with_numbers(read_plain(file)), Config, str(file)))
    _check_metrics(run)
    run.reward()
    return run


def _check_metrics(run: Run) -> None:
    evaluation = run.config.evaluation
    if evaluation is None:
        return
    for name in evaluation.metrics:
        if name not in NAMES:
            raise InputError(
                f"{name!r} is no metric", place=run.place("evaluation", "metrics"), hint=offer(name, NAMES)
            )
    if run.config.data.eval is None:
        raise InputError("there is no held-out data", place=run.place("data"), hint="name a file: eval: FILE")


def _with_numbers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _with_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_numbers(item) for item in value]
    return float(value) if isinstance(value, str) and _POWER.fullmatch(value) else value
