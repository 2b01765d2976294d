"""A file of data → rows that trainers take: messages, a reference, images, and the other columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.fields import missing
from cabs.io.jsontext import json_line
from cabs.io.read import plain_records
from cabs.io.record import Record, kind_of
from cabs.training.config import Run
from cabs.training.media import Images, images_of, videos_of
from cabs.training.template import filled

Message = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """One study. `prompt`: messages, a system message first where there is one. `reference`: text, or JSON as text,
    which every trainer hands on unchanged. `images`: files in the order in which the model sees them. `columns`: the
    others, numbers, words and JSON as text. `place`: where it stands."""

    id: str
    prompt: tuple[Message, ...]
    reference: str
    place: str
    images: Images = ()
    videos: tuple[Any, ...] = ()
    columns: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


def read_rows(run: Run, name: str, key: str = "data.train") -> list[Row]:
    """The rows of the file `name`, in its order; `key` is where the configuration names it.

    Raises:
        InputError: the file can't be read or is empty, a column is missing or holds something else, an image is not
            there, or two rows have one id.
    """
    path = run.path(name)
    if not path.exists():
        raise InputError(
            f"there is no file {str(path)!r}", place=run.place(key), hint="paths start at the file's folder"
        )
    rows = [_row(run, record, number, path.parent) for number, record in enumerate(plain_records(path), 1)]
    if not rows:
        raise holds_no("rows", path)
    _check_ids(rows)
    return rows


def _check_ids(rows: Sequence[Row]) -> None:
    first: dict[str, str] = {}
    for row in rows:
        if row.id in first:
            raise InputError(
                f"the id {row.id!r} is that of {first[row.id]} too", place=row.place, hint="name each once"
            )
        first[row.id] = row.place


def _row(run: Run, record: Record, number: int, home: Path) -> Row:
    data = run.config.data
    known = dict(_others(record.fields, {data.prompt, data.reference, data.images, data.videos, data.id}))
    return Row(
        id=str(record.fields.get(data.id, number)),
        prompt=tuple(_prompt(run, record)),
        reference=_reference(record, data.reference),
        place=record.place,
        images=images_of(record, data.images, home),
        videos=videos_of(record, data.videos),
        columns=known,
    )


def _prompt(run: Run, record: Record) -> Iterator[Message]:
    data = run.config.data
    if data.system is not None:
        yield {"role": "system", "content": data.system}
    if data.template is not None:
        yield {"role": "user", "content": filled(data.template, record, run.place("data", "template"))}
        return
    given = value_at(record, data.prompt)
    yield from [{"role": "user", "content": given}] if isinstance(given, str) else _messages(given, data.prompt, record)


def _messages(given: Any, column: str, record: Record) -> Iterator[Message]:
    fits = isinstance(given, list) and all(isinstance(m, Mapping) and {"role", "content"} <= m.keys() for m in given)
    if not fits or not given:
        hint = 'text, or [{"role": "user", "content": "..."}]'
        raise InputError(f"column {column!r} holds {kind_of(given)}, no prompt", place=record.place, hint=hint)
    if given[-1]["role"] != "user":
        what = f"the last message of column {column!r} is of {given[-1]['role']!r}"
        raise InputError(what, place=record.place, hint="it is the user who asks; answers belong to the reference")
    yield from given


def _reference(record: Record, column: str) -> str:
    given = value_at(record, column)
    if isinstance(given, Mapping | list):
        return json.dumps(_filled_keys(given), ensure_ascii=False, sort_keys=True)
    if not isinstance(given, str):
        raise InputError(
            f"column {column!r} holds {kind_of(given)}, no reference", place=record.place, hint="text or facts"
        )
    return given


def _filled_keys(value: Any) -> Any:
    """Without the keys that Parquet fills up with null."""
    if isinstance(value, Mapping):
        return {name: _filled_keys(item) for name, item in value.items() if item is not None}
    return [_filled_keys(item) for item in value] if isinstance(value, list) else value


def value_at(record: Record, column: str) -> Any:
    """The value of a column, or inside it: `a.b`.

    Raises:
        InputError: there is none.
    """
    value: Any = record.fields
    for name in (column,) if column in record.fields else column.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if missing(value):
        names = ", ".join(map(str, record.fields)) or "none"
        what = f"there is no value in column {column!r}"
        raise InputError(what, place=record.place, hint=f"columns here: {names}; the section data names others")
    return value


def _others(fields: Mapping[str, Any], taken: set[str]) -> Iterator[tuple[str, str | int | float | bool | None]]:
    for name, value in fields.items():
        if name not in taken and name not in OWN:
            yield name, value if value is None or isinstance(value, str | int | float | bool) else json_line(value)


OWN = frozenset({"prompt", "reference", "images", "videos", "image", "video", "id", "completion", "completions"})
"""Names that the trainers give a meaning of their own."""
