"""A user's YAML file → a checked section of a schema, with everything that is wrong told at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from cabs.errors import InputError, OntologyError
from cabs.ontology.reading import read_yaml
from cabs.registry import offer

Kind = TypeVar("Kind", bound=BaseModel)
SHOWN = 5
"""Problems that one message names."""
LACKING = "lacking"
"""The type of a problem whose message says all."""
LONGEST = 80
"""Characters of a wrong value that a message repeats."""


def read_plain(file: Path) -> Any:
    """What a YAML file says, unchecked; None for an empty one.

    Raises:
        InputError: it can't be read or parsed; the place has the line.
    """
    try:
        return read_yaml(file, str(file))
    except OntologyError as error:
        raise InputError(error.message, place=error.place, hint=error.hint) from None


def read_checked(file: Path, kind: type[Kind]) -> Kind:
    """What a YAML file says.

    Raises:
        InputError: it can't be read, or see `checked`.
    """
    return checked(read_plain(file), kind, str(file))


def checked(content: object, kind: type[Kind], place: str, hint: str = "") -> Kind:
    """The content of the file `place` as a section. `hint`: what to do where the message does not say it.

    Raises:
        InputError: a key is unknown, missing or of another type; the place is the file and the first such key, the
            message has the others too.
    """
    if not isinstance(content, Mapping):
        raise InputError("keys expected", place=place, hint=f"at least {', '.join(_required(kind))}")
    try:
        return kind.model_validate(dict(content))
    except ValidationError as error:
        raise _refused(place, kind, error, hint) from None


def _required(kind: type[BaseModel]) -> list[str]:
    return [name for name, field in kind.model_fields.items() if field.is_required()]


def _refused(file: str, kind: type[BaseModel], error: ValidationError, hint: str) -> InputError:
    found = error.errors(include_url=False)
    place, message = _told(found[0])
    others = [f"{where}: {said}{_near(kind, other)}" for other in found[1:SHOWN] for where, said in [_told(other)]]
    more = f"; also {'; '.join(others)}" if others else ""
    *path, key = found[0]["loc"] or ("",)
    if found[0]["type"] == "extra_forbidden":
        hint = offer(str(key), _keys_at(kind, path))
    elif found[0]["type"] == "missing":
        hint = hint or f"keys here: {', '.join(_keys_at(kind, path))}"
    return InputError(f"{message}{more}", place=f"{file}: {place}", hint=hint)


def _told(problem: Mapping[str, Any]) -> tuple[str, str]:
    place = ".".join(str(part) for part in problem["loc"])
    message, found = problem["msg"], repr(problem["input"])
    said = {"extra_forbidden": "there is no such key", "missing": "is missing", LACKING: message}.get(problem["type"])
    if len(found) > LONGEST:
        found = f"{found[:LONGEST]}..."
    return place, said or f"{message[:1].lower()}{message[1:]}, not {found}"


def _near(kind: type[BaseModel], problem: Mapping[str, Any]) -> str:
    """The key that an unknown one is nearly spelt like, in brackets."""
    *path, key = problem["loc"] or ("",)
    near = get_close_matches(str(key), _keys_at(kind, path), 1) if problem["type"] == "extra_forbidden" else []
    return f" (did you mean {near[0]!r}?)" if near else ""


def _keys_at(section: type[BaseModel], path: Sequence[object]) -> list[str]:
    """The keys of the section that a path of keys and positions leads to."""
    for key in path:
        field = section.model_fields.get(str(key))
        section = section if field is None else next(_sections(field.annotation), section)
    return list(section.model_fields)


def _sections(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _sections(inner)
