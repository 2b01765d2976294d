"""Metrics that run elsewhere (RadGraph, GREEN, an LLM's judgement ...): their scores come in as columns, by id and
system.

A column says its own name, direction and family: `green:higher:clinical`, `radcliq=RadCliQ-v1:lower:clinical`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cabs.errors import InputError, SettingError
from cabs.io.fields import number_of
from cabs.io.pairs import system_of
from cabs.io.read import read_records
from cabs.io.record import Record
from cabs.io.sides import id_of
from cabs.metrics.batch import Batch, Item
from cabs.metrics.measured import Measured, means
from cabs.metrics.pair_metric import FAMILIES, Empty, PairMetric
from cabs.registry import NAME

SPELLING = f"NAME:higher|lower:FAMILY or NAME=COLUMN:higher|lower:FAMILY; the usual families: {', '.join(FAMILIES)}"
AS_GIVEN = "what the column holds"
Key = tuple[str | None, str]


@dataclass(frozen=True)
class Column:
    """A metric that is a column: its name, the field that holds it, whether more is better, its family."""

    name: str
    field: str
    higher: bool
    family: str


def read_column(spelled: str) -> Column:
    """The column that an option spells.

    >>> read_column("radcliq=RadCliQ-v1:lower:clinical")
    Column(name='radcliq', field='RadCliQ-v1', higher=False, family='clinical')

    Raises:
        SettingError: it can't be read so.
    """
    head, *rest = spelled.rsplit(":", 2)
    name, equals, field = head.partition("=")
    if len(rest) != 2 or rest[0] not in ("higher", "lower") or not NAME.fullmatch(rest[1]):
        raise SettingError(f"{spelled!r} is no column", place="column", hint=SPELLING)
    if not NAME.fullmatch(name) or (equals and not field):
        hint = f"a name is lower-case letters, digits and _, a letter first; {SPELLING}"
        raise SettingError(f"{name!r} is no name of a metric", place=f"column {spelled!r}", hint=hint)
    return Column(name, field or name, rest[0] == "higher", rest[1])


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The rows of a file of scores by system (None where it names none) and id."""

    name: str
    rows: Mapping[Key, Record]

    @property
    def systems(self) -> set[str | None]:
        """The systems that it names."""
        return {system for system, _ in self.rows}

    def row(self, item: Item, several: bool) -> Record:
        """The row of a pair; `several`: the pairs are of several systems, so a row has to name its own.

        Raises:
            InputError: there is none.
        """
        found = self.rows.get((item.system, item.id))
        if found is None and not several and len(self.systems) == 1:
            found = self.rows.get((next(iter(self.systems)), item.id))
        if found is None:
            of = "" if item.system is None else f" of system {item.system!r}"
            hint = "a row needs the pair's id and, for several systems, its system; a score of null is undefined"
            raise InputError(f"no scores of report {item.id!r}{of}", place=self.name, hint=hint)
        return found


def read_scores(path: Path) -> ScoreFile:
    """The rows of a file (JSON Lines, JSON, CSV, TSV, Parquet) with an id, a system where there are several, scores.

    Raises:
        InputError: it can't be read, or an id comes twice in one system.
    """
    rows: dict[Key, Record] = {}
    for record in read_records(path):
        key = (system_of(record), id_of(record))
        if key in rows:
            raise InputError(f"id {key[1]!r} comes twice", place=record.place, hint=f"first at {rows[key].place}")
        rows[key] = record
    if not rows:
        raise InputError("holds no scores", place=str(path), hint="the file is empty")
    return ScoreFile(str(path), rows)


@dataclass(frozen=True)
class Joined:
    """The work of a column: its number for each pair, of a file of scores or (without one) of the pairs' own fields."""

    column: Column
    scores: ScoreFile | None = None

    def __call__(self, batch: Batch) -> list[float]:
        """The number of each pair, nan where it is null."""
        several = len({item.system for item in batch.items}) > 1
        return [number_of(self._row(item, several), self.column.field) for item in batch.items]

    def _row(self, item: Item, several: bool) -> Record:
        return Record(item.extra or {}, item.place) if self.scores is None else self.scores.row(item, several)


def column_metric(column: Column | str, scores: ScoreFile | None = None) -> PairMetric:
    """The metric that a column (or its spelling) is; the corpus value is the mean of what is defined.

    Raises:
        SettingError: the spelling can't be read.
    """
    chosen = read_column(column) if isinstance(column, str) else column
    source = "the pairs" if scores is None else Path(scores.name).name
    return PairMetric(
        name=chosen.name,
        label=chosen.name,
        family=chosen.family,
        higher=chosen.higher,
        empty=Empty(AS_GIVEN, AS_GIVEN, AS_GIVEN),
        work=Joined(chosen, scores),
        measured=partial(_measured, column=chosen),
        range=(None, None),
        settings=lambda: (("column", chosen.field), ("from", source)),
        package="column",
    )


def _measured(values: list[float], column: Column) -> Measured:
    undefined = sum(map(math.isnan, values))
    notes = (f"{column.name}: {undefined} of {len(values)} scores are undefined",) if undefined else ()
    return means(values, notes)
