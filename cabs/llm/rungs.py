"""The ways to ask for an answer of a given form, from the strictest to the loosest, as fields of a request.

Servers differ: some constrain decoding by any JSON schema, some refuse the keywords of limits, some know only a form of
their own, and some ignore the wish. Measured on llama.cpp's server (all but plain `json_object`) and llama-cpp-python
(HTTP 500 for `json_schema`, its own `json_object` with a schema).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

JSON_SCHEMA, JSON_SCHEMA_OPEN, JSON_OBJECT, TEXT = "json_schema", "json_schema_open", "json_object", "text"
RUNGS = (JSON_SCHEMA, JSON_SCHEMA_OPEN, JSON_OBJECT, TEXT)
"""json_schema: the schema with its limits; json_schema_open: without limits of length; json_object: the form that
takes a schema beside the type; text: no wish, the schema stands in the prompt alone."""

_LIMITS = frozenset(("maxLength", "minLength", "maxItems", "minItems"))

Schema = Mapping[str, Any]


def wish(rung: str, name: str, schema: Schema) -> dict[str, Any]:
    """The fields of a request that ask for an answer of this schema."""
    if rung == TEXT:
        return {}
    if rung == JSON_OBJECT:
        return {"response_format": {"type": "json_object", "schema": schema}}
    kept = schema if rung == JSON_SCHEMA else without_limits(schema)
    return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": kept}}}


def without_limits(schema: Any) -> Any:
    """The schema without its limits of length, which some servers refuse.

    >>> without_limits({"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 9}})
    {'type': 'array', 'items': {'type': 'string'}}
    """
    if isinstance(schema, Mapping):
        return {name: without_limits(value) for name, value in schema.items() if name not in _LIMITS}
    return [without_limits(value) for value in schema] if isinstance(schema, list) else schema
