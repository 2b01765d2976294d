"""A prompt out of the columns of a row."""

from __future__ import annotations

from string import Formatter

from cabs.errors import InputError
from cabs.io.fields import missing
from cabs.io.record import Record


def filled(template: str, record: Record, place: str) -> str:
    """The template with the value of a column for each `{column}`; `{{` and `}}` are braces. A column that is empty or
    null is an empty word.

    >>> filled("Report this {modality}.", Record({"modality": "CT"}, "rows.jsonl:1"), "")
    'Report this CT.'

    Raises:
        InputError: the template can't be read (at `place`), or names a column that the row lacks.
    """
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise InputError(f"not a template: {error}", place=place, hint="{column}; a brace itself is {{") from None
    return "".join(text + ("" if name is None else _value(name, record)) for text, name, _, _ in parts)


def _value(name: str, record: Record) -> str:
    if name not in record.fields:
        hint = f"columns here: {', '.join(map(str, record.fields)) or 'none'}"
        raise InputError(f"the template asks for column {name!r}", place=record.place, hint=hint)
    value = record.fields[name]
    return "" if missing(value) else str(value)
