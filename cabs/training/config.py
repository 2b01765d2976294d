"""A YAML file → a checked configuration with the places that its paths stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from cabs.errors import CabsError, InputError, OntologyError
from cabs.metrics import NAMES
from cabs.ontology.reading import read_yaml
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
            raise InputError(f"{error.place}: {error.message}", place=self.place("reward"), hint=error.hint) from None


def read_config(file: Path) -> Run:
    """The configuration in a file. Relative paths in it start at its folder, wherever the program runs.

    Raises:
        InputError: it can't be read, a key is unknown, missing or of another type, or a value does not exist; the place
            is the file and the key.
    """
    try:
        content = read_yaml(file, str(file))
    except OntologyError as error:
        raise InputError(error.message, place=error.place, hint=error.hint) from None
    if not isinstance(content, Mapping):
        raise InputError("sections expected", place=str(file), hint=f"at least {', '.join(_required(Config))}")
    try:
        run = Run(file, Config.model_validate(_with_numbers(content)))
    except ValidationError as error:
        raise _refused(file, error) from None
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


def _refused(file: Path, error: ValidationError) -> InputError:
    """The first thing that is wrong, in words, with what the section knows."""
    first = error.errors(include_url=False)[0]
    keys = [str(part) for part in first["loc"]]
    place = f"{file}: {'.'.join(keys)}"
    if first["type"] == "extra_forbidden":
        return InputError("there is no such key", place=place, hint=offer(keys[-1], _keys_at(Config, keys[:-1])))
    if first["type"] == "missing":
        return InputError("is missing", place=place, hint=f"keys here: {', '.join(_keys_at(Config, keys[:-1]))}")
    said = first["msg"][:1].lower() + first["msg"][1:]
    return InputError(f"{said}, not {first['input']!r}", place=place)


def _keys_at(section: type[BaseModel], keys: list[str]) -> list[str]:
    for key in keys:
        section = next(_sections(section.model_fields[key].annotation))
    return list(section.model_fields)


def _sections(annotation: Any) -> Iterator[type[BaseModel]]:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield kind


def _required(section: type[BaseModel]) -> list[str]:
    return [name for name, field in section.model_fields.items() if field.is_required()]
