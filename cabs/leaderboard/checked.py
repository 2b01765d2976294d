"""A YAML file → a checked section of the schema, with everything that is wrong told at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cabs.errors import InputError, OntologyError
from cabs.ontology.reading import read_yaml
from cabs.registry import offer

Kind = TypeVar("Kind", bound=BaseModel)
SHOWN = 5
"""Problems that one message names."""
LONGEST = 80
"""Characters of a wrong value that a message repeats."""


def read_checked(file: Path, kind: type[Kind]) -> Kind:
    """What a file says.

    Raises:
        InputError: it can't be read, or a key is unknown, missing or of another type; the place is the file and the
            first such key, the message has the others too.
    """
    try:
        content = read_yaml(file, str(file))
    except OntologyError as error:
        raise InputError(error.message, place=error.place, hint=error.hint) from None
    if not isinstance(content, Mapping):
        raise InputError("keys expected", place=str(file), hint=f"at least {', '.join(_required(kind))}")
    try:
        return kind.model_validate(dict(content))
    except ValidationError as error:
        raise _refused(file, kind, error) from None


def _required(kind: type[BaseModel]) -> list[str]:
    return [name for name, field in kind.model_fields.items() if field.is_required()]


def _refused(file: Path, kind: type[BaseModel], error: ValidationError) -> InputError:
    found = error.errors(include_url=False)
    place, message = _told(found[0])
    others = [f"{where}: {said}" for where, said in map(_told, found[1:SHOWN])]
    more = f"; also {'; '.join(others)}" if others else ""
    first = found[0]
    top = len(first["loc"]) == 1
    hint = offer(str(first["loc"][0]), list(kind.model_fields)) if top and first["type"] == "extra_forbidden" else ""
    return InputError(f"{message}{more}", place=f"{file}: {place}", hint=hint)


def _told(problem: Mapping[str, Any]) -> tuple[str, str]:
    place = ".".join(str(part) for part in problem["loc"])
    said = {"extra_forbidden": "there is no such key", "missing": "is missing"}.get(problem["type"])
    message, found = problem["msg"], repr(problem["input"])
    if len(found) > LONGEST:
        found = f"{found[:LONGEST]}..."
    return place, said or f"{message[:1].lower()}{message[1:]}, not {found}"
