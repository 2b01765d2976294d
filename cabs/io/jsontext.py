"""JSON text to Python values, with errors that say where, and back to the same bytes every time."""

from __future__ import annotations

import json

from cabs.errors import InputError
from cabs.io.record import kind_of


def parse_json(text: str, place: str, hint: str = "") -> object:
    """The value of a JSON text.

    Raises:
        InputError: it isn't JSON, or it is nested too deeply to be read.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not readable as JSON: {error.msg} (column {error.colno})"
        raise InputError(message, place=place, hint=hint) from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"not readable as JSON: {error}", place=place, hint=hint) from None


def parse_object(text: str, place: str, hint: str = "") -> dict[str, object]:
    """The same for a text that has to be a JSON object."""
    value = parse_json(text, place, hint)
    if not isinstance(value, dict):
        raise InputError(f"a JSON object expected, found {kind_of(value)}", place=place, hint=hint)
    return value


def json_line(value: object) -> str:
    """A value as one line of JSON: keys in their order, numbers in full, no NaN.

    >>> json_line({"id": "a", "f1": 0.1})
    '{"id": "a", "f1": 0.1}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_page(value: object) -> str:
    """A value as a page of JSON: keys sorted, numbers in full, no NaN, a line end at the end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True) + "\n"
