"""Reference facts, frozen: JSON Lines whose first line says what the file holds, with a hash that tells a change.

The reports have the format of `cabs parse`, and the hash of the text that their facts were read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.jsonl import HINT
from cabs.io.jsontext import json_line, parse_object
from cabs.io.lines import name_of, numbered_lines
from cabs.io.output import text_output
from cabs.io.record import Record, kind_of

MARK = "cabs_reference_facts"
"""The field that the first line of a frozen file starts with; its value is the version of the format."""
VERSION = 1
DIGITS = 16
"""Hexadecimal digits that a text's hash has."""

Json = dict[str, Any]
Values = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a frozen file says.

    `content_hash`: SHA-256 (hex) of the reports. `ontology`: name@version of the ontology that the facts' ids belong
    to, `ontology_hash` its content hash. `reports`, `rated` (facts of the sheet that were rated), `accepted`,
    `corrected`, `rejected`, `added`: counts. `raters`: who rated, in free words ("" where unsaid).
    """

    content_hash: str
    ontology: str
    ontology_hash: str
    reports: int
    rated: int
    accepted: int
    corrected: int
    rejected: int
    added: int
    raters: str = ""


def text_hash(text: str) -> str:
    """A hash of a report's words; white space doesn't count.

    >>> text_hash("No effusion. ") == text_hash("No  effusion.")
    True
    """
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def content_hash(reports: Iterable[Values]) -> str:
    """The SHA-256 (hex) of reports as JSON objects, whatever their order and the layout of the file."""
    lines = sorted(json_line(_sorted(report)) for report in reports)
    return sha256("\n".join(lines).encode("utf-8")).hexdigest()


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


def write_frozen(path: Path, header: Header, reports: Sequence[Values]) -> None:
    """Write reports behind their header, whose `content_hash` has to be theirs.

    Raises:
        OutputError: the place can't be written.
    """
    with text_output(path) as handle:
        handle.write(json_line({MARK: VERSION, **asdict(header)}) + "\n")
        handle.writelines(json_line(report) + "\n" for report in reports)


def is_frozen(path: Path) -> bool:
    """Whether the first line of a file is that of a frozen one. The standard input never is."""
    if str(path) == "-" or not path.is_file():
        return False
    with path.open("rb") as handle:
        return handle.readline(200).lstrip(b"\xef\xbb\xbf").startswith(f'{{"{MARK}"'.encode())


def read_frozen(path: Path) -> tuple[Header, list[Record]]:
    """The header of a frozen file and the records of its reports.

    Raises:
        InputError: it can't be read, is of another version, or its reports are not those that were frozen.
    """
    name = name_of(path)
    lines = ((f"{name}:{line.number}", line.text) for line in numbered_lines(path) if line.text.strip())
    (place, first), *rest = lines
    header = _header(parse_object(first, place, HINT), place)
    records = [Record(parse_object(text, place, HINT), place) for place, text in rest]
    found = content_hash(record.fields for record in records)
    if found != header.content_hash:
        raise InputError(
            f"the file was changed after it was frozen (its header says {header.content_hash[:12]}, "
            f"its {len(records)} reports give {found[:12]})",
            place=name,
            hint="take the original, or make it anew with cabs audit read",
        )
    return header, records


def _header(values: Json, place: str) -> Header:
    if values.get(MARK) != VERSION:
        raise InputError(f"this file has version {values.get(MARK)!r}, {VERSION} is read here", place=place)
    known = {field.name: field.type for field in fields(Header)}
    for name, kind in known.items():
        if type(values.get(name)) is not (int if kind == "int" else str):
            raise InputError(f"field {name!r} holds {kind_of(values.get(name))}", place=place, hint="a damaged header")
    return Header(**{name: values[name] for name in known})
