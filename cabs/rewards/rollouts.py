"""A file of rollouts (what a model wrote while it was trained, with references) → examples, in groups of one prompt."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cabs.errors import InputError
from cabs.io import tif
from cabs.io.empty import holds_no
from cabs.io.fields import field_of, lacking, plain
from cabs.io.read import read_records
from cabs.io.record import Record
from cabs.io.sides import ALONE, first_side
from cabs.rewards.example import Example


@dataclass(frozen=True, slots=True)
class Rollout:
    """One sample. `part`: what its row is told under (a training step, a system), "" where nobody asks. `group`: the
    samples of one reference have the same."""

    example: Example
    part: str
    group: Hashable
    place: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file; "" takes the usual names."""

    completion: str = ""
    reference: str = ""
    by: str = ""


def read_rollouts(path: Path, columns: Columns = Columns()) -> Iterator[Rollout]:
    """The samples of a file in their order.

    Raises:
        InputError: the file can't be read, a column is missing, or there is no sample.
    """
    empty = True
    for record in read_records(path, unfold=False):
        empty = False
        yield _rollout(record, columns)
    if empty:
        raise holds_no("rollouts", path)


def _rollout(record: Record, columns: Columns) -> Rollout:
    completion = _named(record, columns.completion) if columns.completion else _usual(record)
    reference = _named(record, columns.reference) if columns.reference else _reference(record)
    part = str(_named(record, columns.by)) if columns.by else ""
    return Rollout(Example(completion, reference, fields=record.fields), part, _key(reference), record.place)


def _reference(record: Record) -> object:
    """The reference of a record; None where it is null, or where an answer to a question takes its place."""
    if tif.matches(record.fields):
        return record.fields
    found = first_side(record, ALONE["reference"])
    known = field_of(record, "reference") is not None or any(plain(name) == "answer" for name in record.fields)
    if found is None and not known:
        raise lacking(record, "reference", "name its column with --reference")
    return found


def _usual(record: Record) -> object:
    found = field_of(record, "prediction")
    if found is None:
        raise lacking(record, "prediction", "name its column with --completion")
    return found[1]


def _named(record: Record, column: str) -> object:
    name = next((own for own in record.fields if own == column or plain(own) == plain(column)), None)
    if name is None:
        names = ", ".join(map(repr, record.fields)) or "none"
        raise InputError(f"there is no field {column!r}", place=record.place, hint=f"fields here: {names}")
    return record.fields[name]


def _key(reference: object) -> Hashable:
    return reference if isinstance(reference, Hashable) else str(reference)
