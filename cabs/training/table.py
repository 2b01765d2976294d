"""Rows → a table of `datasets`, as TRL takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasets import Dataset, Image, List

from cabs.training.rows import Row


def rewarded_table(rows: Sequence[Row]) -> Dataset:
    """For GRPO and RLOO: `prompt` (messages), `reference`, `id`, `images` where any row has some, and the other
    columns, each of which is text where rows differ in its type."""
    return _with_images([{**others, **_asked(row)} for row, others in zip(rows, _others(rows), strict=True)], rows)


def answered_table(rows: Sequence[Row]) -> Dataset:
    """For the cold start: `prompt` and `completion` (the reference), as messages, and `images`."""
    told = [{"prompt": _asked(row)["prompt"], "completion": [_message("assistant", row.reference)]} for row in rows]
    return _with_images(told, rows)


def _asked(row: Row) -> dict[str, Any]:
    return {"prompt": [dict(m) for m in row.prompt], "reference": row.reference, "id": row.id}


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _others(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The other columns; one whose values are of several types is text, since a table has one type a column."""
    names = dict.fromkeys(name for row in rows for name in row.columns)
    kinds = {name: {type(row.columns[name]) for row in rows if row.columns.get(name) is not None} for name in names}
    return [{name: _one(row.columns, name, len(kinds[name]) > 1) for name in names} for row in rows]


def _one(columns: Mapping[str, Any], name: str, mixed: bool) -> Any:
    value = columns.get(name)
    return str(value) if mixed and value is not None else value


def _with_images(told: list[dict[str, Any]], rows: Sequence[Row]) -> Dataset:
    if not any(row.images for row in rows):
        return Dataset.from_list(told)
    full = [{**one, "images": [str(path) for path in row.images]} for one, row in zip(told, rows, strict=True)]
    return Dataset.from_list(full).cast_column("images", List(Image()))
