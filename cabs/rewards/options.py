"""Options of a reward as a name carries them (text) or a program gives them → checked values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from itertools import chain
from typing import Any, TypeVar, get_type_hints

from cabs.errors import SettingError
from cabs.matching import Settings
from cabs.ontology import Ontology, load_ontology
from cabs.scoring.judge import Parser, parser_name

MATCHING = ("match", "location_extra", "attributes_extra", "kinds")
"""The settings of matching that a reward takes."""

_Made = TypeVar("_Made")
_YES = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def filled(kind: type[_Made], options: Mapping[str, Any], place: str) -> _Made:
    """A settings record of type `kind` with those of the `options` that it has; its defaults for the others.

    Raises:
        SettingError: a value is of another type.
    """
    hints = get_type_hints(kind)
    own = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # a dataclass, as all of them are
    return kind(**{name: _typed(options[name], hints[name], f"{place}: {name}") for name in own if name in options})


def _typed(value: Any, wanted: Any, place: str) -> Any:
    if wanted is bool and isinstance(value, str) and value.lower() in _YES:
        return _YES[value.lower()]
    if wanted in (int, float) and not isinstance(value, bool):
        try:
            return wanted(value)
        except (TypeError, ValueError):
            raise SettingError(f"{value!r} is no number", place=place) from None
    if wanted in (bool, int, float) and type(value) is not wanted:
        raise SettingError(f"{value!r} is no {wanted.__name__}", place=place)
    return value


def read_by(ontology: Ontology | None, parser: Parser | None) -> tuple[tuple[str, str], ...]:
    """What a reward reads texts with, for its signature."""
    return ("onto", (ontology or load_ontology()).stamp), ("parser", parser_name(parser))


def signed(
    ontology: Ontology | None, parser: Parser | None, matching: Settings, *others: Any
) -> tuple[tuple[str, str], ...]:
    """What changes the values of a reward that compares reports, for its signature."""
    used = tuple((name, text) for name, text in matching.items() if name in MATCHING)
    return *read_by(ontology, parser), *used, *chain.from_iterable(map(as_text, others))


def as_text(settings: Any) -> tuple[tuple[str, str], ...]:
    """The fields of a settings record as (name, text), for a signature."""
    return tuple((field.name, _shown(getattr(settings, field.name))) for field in fields(settings))


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
