"""VLM3D's generated_reports JSON, bare or in grand-challenge's wrapper of jobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cabs.errors import InputError
from cabs.io.record import Record, kind_of

LIST = "generated_reports"


def matches(fields: Mapping[str, object]) -> bool:
    """True for an object with `generated_reports`, or a job whose outputs hold one."""
    return LIST in fields or any(True for _ in _outputs(fields))


def records(source: Record) -> Iterator[Record]:
    """`{"id", "text"}` of every generated report; the place names its number in the list.

    Raises:
        InputError: the list or an item of it has another type.
    """
    holders = [source.fields] if LIST in source.fields else list(_outputs(source.fields))
    for holder in holders:
        listed = holder[LIST]
        if not isinstance(listed, list):
            raise InputError(f"{LIST!r} holds {kind_of(listed)}, a list expected", place=source.place)
        for i, item in enumerate(listed):
            yield _one(item, f"{source.place}: {LIST}[{i}]")


def _one(item: object, place: str) -> Record:
    if not isinstance(item, Mapping):
        raise InputError(f"an object expected, found {kind_of(item)}", place=place)
    return Record(item, place)


def _outputs(fields: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    outputs = fields.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        value = output.get("value") if isinstance(output, Mapping) else None
        if isinstance(value, Mapping) and LIST in value:
            yield value
