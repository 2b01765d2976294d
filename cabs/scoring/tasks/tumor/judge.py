"""One pair → what is counted of its tumors, organ by organ, and the row of each organ in the reports table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from cabs.errors import CabsError, InputError, SettingError
from cabs.io.tables import Cell, Column
from cabs.ontology import Ontology
from cabs.scoring.judge import Judge as Sides
from cabs.scoring.judge import Plan as SidesPlan
from cabs.scoring.tasks.tumor.columns import Columns, organ_in, organ_named, size_in
from cabs.scoring.tasks.tumor.compare import Compared
from cabs.scoring.tasks.tumor.counts import Over, TumorCounts
from cabs.scoring.tasks.tumor.grammar import Box
from cabs.scoring.tasks.tumor.options import SLOTS, Comparing, at_least_0, one_of
from cabs.scoring.tasks.tumor.reader import Sighted, tumor_reader
from cabs.scoring.tasks.tumor.slices import UNSTATED, Slice, near
from cabs.scoring.tasks.tumor.texts import Stated, predicted_slice, reference_slice, stated
from cabs.values import Pair, ParsedReport

ANYWHERE = "any"
"""Stands for the organ of a unit that is a whole report."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How tumors are counted. Every field is open in the paper but the 2 cm.

    - small_mm: a tumor up to this size is small (Table 1: ≤ 2 cm and > 2 cm); the largest one of the reference counts.
    - over: attribute accuracies over "hits" or over all "reference" tumors; see `metrics`.
    - organs: ids joined by "+"; reports without an organ of their own are then judged once for each of these, else as a
      whole.
    - reference_size_column: the size of the largest tumor of the reference in mm; it comes before that in its text.

    Raises `SettingError` for a value outside its range.
    """

    small_mm: float = 20.0
    over: Over = "hits"
    organs: str = ""
    reference_size_column: str = "reference_size_mm"

    def __post_init__(self) -> None:
        at_least_0("small_mm", self.small_mm)
        one_of("over", self.over, get_args(Over))

    @property
    def listed(self) -> tuple[str, ...]:
        """The organs, each once."""
        return tuple(dict.fromkeys(filter(None, (organ.strip() for organ in self.organs.split("+")))))


@dataclass(frozen=True, slots=True)
class TumorPlan:
    """How pairs are judged; what a worker process needs to know. `text`: words of a report may stand in a row, as what
    is wrong with a slice."""

    ontology: Ontology
    how: Comparing = field(default_factory=Comparing)
    columns: Columns = field(default_factory=Columns)
    counting: Counting = field(default_factory=Counting)
    text: bool = True


@dataclass(frozen=True, slots=True)
class TumorOutcome:
    """What judging a pair gives: counts by organ, table rows, `reason` why it is unscored ("" where it is scored), and
    `silent` why a scored prediction says nothing ("missing", "unread", "")."""

    id: str
    system: str | None
    cluster: str | None
    reason: str
    silent: str
    counts: Mapping[str, TumorCounts]
    rows: tuple[Mapping[str, Cell], ...]


REPORTS: tuple[Column, ...] = (
    ("id", "text"), ("system", "text"), ("cluster", "text"), ("organ", "text"), ("status", "text"), ("reason", "text"),
    ("reference_tumor", "bool"), ("predicted_tumor", "bool"), ("size_mm", "float"), ("size_group", "text"),
    ("tumors", "int"), ("hits", "int"), ("extra", "int"), *((slot, "float") for slot in SLOTS),
    ("key_slice", "int"), ("key_slice_problem", "text"), ("reference_key_slice", "int"), ("k_hit", "bool"),
    ("bbox", "text"), ("bbox_problem", "text"),
)  # fmt: skip
"""The reports table: one row a report and organ. Attributes hold S_att, empty where they do not apply."""


class TumorJudge:
    """Judges one pair after another; its caches speed it up and never change an answer.

    Raises `SettingError` where the plan names an unknown organ or group.
    """

    def __init__(self, plan: TumorPlan) -> None:
        self.plan, self.reader = plan, tumor_reader(plan.ontology, plan.how)
        self._sides = Sides(SidesPlan(plan.ontology))
        self._organs = _listed(plan)

    def judge(self, pair: Pair) -> TumorOutcome:
        """The outcome of a pair. What its reports say never raises.

        Raises:
            InputError: a column holds what it can't, at its file and line.
        """
        try:
            organ = organ_in(pair.extra, self.plan.columns.organ_column, self.plan.ontology)
            size = size_in(pair.extra, self.plan.counting.reference_size_column)
        except InputError as error:
            raise InputError(error.message, place=pair.source or f"pair {pair.id!r}", hint=error.hint) from None
        organs = (organ,) if organ else self._organs or (None,)
        try:
            ours = self._stated(pair.reference)
            theirs = self._stated("" if pair.prediction is None else pair.prediction)
        except CabsError as error:
            return _unscored(pair, f"parser failed: {error.message}" if self.plan.text else "parser failed")
        if not ours.report.read:
            return _unscored(pair, "reference unread")
        slices = self._slices(pair, ours, theirs)
        silent = "missing" if pair.prediction is None else "" if theirs.report.read else "unread"
        found = {o or ANYWHERE: self._unit(ours.report, theirs.report, o, size, slices) for o in organs}
        both = {**_named(pair), **_boxed(theirs.bbox)}
        rows = tuple({**both, **_head(name, silent), **cells} for name, (_, cells) in found.items())
        counts = {name: counts for name, (counts, _) in found.items()}
        return TumorOutcome(pair.id, pair.system, pair.cluster, "", silent, counts, rows)

    def _stated(self, side: Any) -> Stated:
        if isinstance(side, str):
            return stated(side, self._sides.parser, self.plan.how.first_slice)
        return Stated(self._sides.read(side), UNSTATED, Box())

    def _slices(self, pair: Pair, ours: Stated, theirs: Stated) -> tuple[Slice, Slice]:
        columns, how = self.plan.columns, self.plan.how
        named = columns.key_slice_column
        predicted = predicted_slice(theirs.key_slice, pair.extra, named, how.first_slice, how.slice_offset)
        try:
            known = reference_slice(ours.key_slice, pair.extra, columns.reference_key_slice_column, how.first_slice)
        except InputError as error:
            raise InputError(error.message, place=f"{pair.source}: {error.place}") from None
        return known, predicted

    def _unit(
        self,
        ours: ParsedReport,
        theirs: ParsedReport,
        organ: str | None,
        size: float | None,
        slices: tuple[Slice, Slice],
    ) -> tuple[TumorCounts, dict[str, Cell]]:
        reference, prediction = self.reader.sighted(ours, organ), self.reader.sighted(theirs, organ)
        compared = self.reader.compared(reference, prediction)
        largest = (size or reference.largest) if reference.present else None
        group = _size_group(largest, self.plan.counting.small_mm) if reference.present else ""
        counts = _existence(reference, prediction, group) + _compared(compared) + _sliced(reference.present, *slices)
        cells: dict[str, Cell] = {
            "reference_tumor": reference.present,
            "predicted_tumor": prediction.present if prediction.read else None,
            "size_mm": largest,
            "size_group": group,
            "tumors": counts.tumors,
            "hits": counts.hits,
            "extra": counts.extra,
            **{slot: compared.similarity(slot) for slot in SLOTS},
            "key_slice": slices[1].index,
            "key_slice_problem": slices[1].reason if self.plan.text or not slices[1].reason else "invalid",
            "reference_key_slice": slices[0].index,
            "k_hit": bool(counts.slices_near) if counts.slices else None,
        }
        return counts, cells


def _listed(plan: TumorPlan) -> tuple[str, ...]:
    try:
        return tuple(organ_named(organ, plan.ontology) for organ in plan.counting.listed)
    except InputError as error:
        raise SettingError(error.message, place="organs", hint=error.hint) from None


def _size_group(largest: float | None, small: float) -> str:
    return "unsized" if largest is None else "small" if largest <= small else "large"


def _existence(reference: Sighted, prediction: Sighted, group: str) -> TumorCounts:
    unread = int(not prediction.read)
    if not reference.present:
        return TumorCounts(
            units=1, unread=unread, absent=1, absent_found=int(prediction.read and not prediction.present)
        )
    found = int(prediction.present)
    sized = TumorCounts(**{group: 1, f"{group}_found": found})
    return sized + TumorCounts(units=1, unread=unread, present=1, present_found=found)


def _compared(compared: Compared) -> TumorCounts:
    hits, missed = len(compared.pairs), len(compared.missed)
    slots: dict[str, int] = {}
    for slot in SLOTS:
        stated = [pair.slots[slot] for pair in compared.pairs if slot in pair.stated]
        slots[f"{slot}_hits"] = len(stated)
        slots[f"{slot}_stated"] = len(stated) + compared.missed_stating[slot]
        slots[f"{slot}_agree"] = sum(value == 1.0 for value in stated)
    return TumorCounts(tumors=hits + missed, hits=hits, extra=len(compared.extra), **slots)


def _sliced(present: bool, reference: Slice, predicted: Slice) -> TumorCounts:
    if not present or reference.index is None:
        return TumorCounts()
    if predicted.index is None:
        return TumorCounts(slices=1)
    return TumorCounts(slices=1, slices_stated=1, slices_near=int(near(predicted.index, reference.index)))


def _named(pair: Pair) -> dict[str, Cell]:
    return {"id": pair.id, "system": pair.system, "cluster": pair.cluster}


def _head(organ: str, silent: str) -> dict[str, Cell]:
    said = f"prediction {silent}" if silent else ""
    return {"organ": "" if organ == ANYWHERE else organ, "status": "scored", "reason": said}


def _boxed(box: Box) -> dict[str, Cell]:
    return {"bbox": box.corners and " ".join(f"{corner:g}" for corner in box.corners), "bbox_problem": box.reason}


def _unscored(pair: Pair, reason: str) -> TumorOutcome:
    row = {**_named(pair), "status": "unscored", "reason": reason}
    return TumorOutcome(pair.id, pair.system, pair.cluster, reason, "", {}, (row,))


def judging(plan: TumorPlan) -> Callable[[Pair], TumorOutcome]:
    """The function that judges pairs by a plan; each process makes its own."""
    return TumorJudge(plan).judge
