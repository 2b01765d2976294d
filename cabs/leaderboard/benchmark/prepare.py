"""An official download → the references of a benchmark, by the recipe of its definition."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cabs.errors import InputError
from cabs.io.csvfile import long_cells
from cabs.io.jsontext import json_line, parse_json
from cabs.leaderboard.benchmark.download import contents
from cabs.leaderboard.benchmark.schema import Part, Recipe, Source, Split

Look = Callable[[str], str]
"""Where a value comes from → the value, "" where there is none."""


@dataclass(frozen=True, slots=True)
class Item:
    """One record of a download."""

    look: Look
    place: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """References as lines of JSON, sorted by id. `empty`: reports that are left out since they have no text."""

    lines: tuple[str, ...]
    empty: tuple[str, ...]


def prepared(recipe: Recipe, folder: Path) -> Prepared:
    """The references of a download.

    Raises:
        InputError: the download is not as the recipe has it, an id has two texts, or nothing is left.
    """
    wanted = None if recipe.split is None else _ids_of(recipe.split, folder)
    found: dict[str, dict[str, str]] = {}
    empty: dict[str, None] = {}
    for item in _items(recipe, folder):
        id = _value(recipe.id, item)
        if not id or (wanted is not None and id not in wanted):
            continue
        text = _text(recipe.parts, item)
        if not text:
            empty[id] = None
            continue
        record = {"id": id, "text": text}
        if recipe.cluster is not None:
            record["cluster"] = _value(recipe.cluster, item)
        if found.setdefault(id, record) != record:
            raise InputError(f"report {id!r} has two texts", place=item.place, hint="is the download of one version?")
    if not found:
        raise InputError("no report is left", place=str(folder), hint="is this the download that the definition names?")
    lines = tuple(json_line(found[id]) for id in sorted(found))
    return Prepared(lines, tuple(id for id in empty if id not in found))


def _ids_of(split: Split, folder: Path) -> frozenset[str]:
    """The ids that belong to a part of a data set."""
    rows = (item for name, raw in contents(folder, split.files) for item in _csv(name, raw))
    return frozenset(_value(split.id, item) for item in rows if item.look(split.column) == split.value)


def _items(recipe: Recipe, folder: Path) -> Iterator[Item]:
    for name, raw in contents(folder, recipe.files, recipe.members):
        if recipe.reader == "csv":
            yield from _csv(name, raw)
        elif recipe.reader == "json":
            yield from _json(name, raw, recipe.records)
        elif recipe.reader == "xml":
            yield _xml(name, raw)
        else:
            yield _plain(name, raw)


def _csv(name: str, raw: bytes) -> Iterator[Item]:
    rows = csv.DictReader(io.StringIO(_decoded(name, raw), newline=""))
    while True:
        try:
            with long_cells():
                row = next(rows, None)
        except csv.Error as error:
            raise InputError(f"not readable as CSV: {error}", place=f"{name}:{rows.line_num + 1}") from None
        if row is None:
            return
        yield Item(_column(row, f"{name}:{rows.line_num}"), f"{name}:{rows.line_num}")


def _column(row: Mapping[str, str | None], place: str) -> Look:
    def look(of: str) -> str:
        if of not in row:
            raise InputError(f"there is no column {of!r}", place=place, hint=f"columns: {', '.join(map(str, row))}")
        return row[of] or ""

    return look


def _json(name: str, raw: bytes, records: str) -> Iterator[Item]:
    value: Any = parse_json(_decoded(name, raw), name)
    items = _inside(value, records) if records else value
    if not isinstance(items, list):
        raise InputError(f"there is no list {records!r}", place=name)
    for number, item in enumerate(items):
        yield Item(_keys(item), f"{name}: {records}[{number}]")


def _keys(item: object) -> Look:
    def look(of: str) -> str:
        found = _inside(item, of)
        return found if isinstance(found, str) else "" if found is None else str(found)

    return look


def _inside(value: Any, path: str) -> Any:
    """What a path of keys leads to; None where a key is missing."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _xml(name: str, raw: bytes) -> Item:
    try:
        root = ElementTree.fromstring(raw)
    except ElementTree.ParseError as error:
        raise InputError(f"not readable as XML: {error}", place=name) from None

    def look(of: str) -> str:
        path, at, attribute = of.partition("/@")
        try:
            node = root.find(path)
        except (SyntaxError, KeyError, ValueError) as error:
            raise InputError(f"{path!r} is no path in XML: {error}", place=name) from None
        if node is None:
            return ""
        return node.get(attribute, "") if at else "".join(node.itertext())

    return Item(look, name)


def _plain(name: str, raw: bytes) -> Item:
    values = {"path": name, "name": Path(name).stem, "text": _decoded(name, raw)}
    return Item(lambda of: values.get(of, ""), name)


def _decoded(name: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 (byte {error.start + 1})", place=name) from None


def _value(source: Source, item: Item) -> str:
    text = item.look(source.of).strip()
    if not source.pattern:
        return text
    found = re.search(source.pattern, text)
    return found[1] if found else ""


def _text(parts: list[Part], item: Item) -> str:
    """The parts of a reference that say something, each below its heading."""
    said = []
    for part in parts:
        text = item.look(part.of)
        _, behind, rest = text.partition(part.after) if part.after else ("", "", "")
        text = (rest if behind else text).strip()
        if text:
            said.append(f"{part.heading}: {text}" if part.heading else text)
    return "\n".join(said)
