"""What is counted of tumors, and the metrics as ratios of counts. Count first, divide last. Source: [E-MRL], Tables 1
and 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import add, attrgetter
from typing import Literal

from cabs.scoring.tasks.tumor.options import SLOTS

Over = Literal["hits", "reference"]


@dataclass(frozen=True, slots=True)
class TumorCounts:
    """Of one unit (a report, or one organ of it), or of many; `a + b` adds field by field.

    - units; present, absent: by the reference; small, large, unsized: the present ones by their largest tumor.
    - present_found, small_found, large_found, unsized_found: the prediction has a tumor too; absent_found: it was read
      and has none. unread: predictions that were not read, which never are right.
    - tumors K, hits h, extra F: tumors of the reference, those that the prediction has, those that only it has.
    - SLOT_hits: hits whose reference states the attribute; SLOT_stated: all such tumors of the reference; SLOT_agree:
      hits that agree in it wholly.
    - slices: present units whose reference has a key slice; slices_stated: a valid one is predicted; slices_near: it is
      the same or a neighbour.
    """

    units: int = 0
    unread: int = 0
    present: int = 0
    present_found: int = 0
    small: int = 0
    small_found: int = 0
    large: int = 0
    large_found: int = 0
    unsized: int = 0
    unsized_found: int = 0
    absent: int = 0
    absent_found: int = 0
    tumors: int = 0
    hits: int = 0
    extra: int = 0
    size_hits: int = 0
    size_stated: int = 0
    size_agree: int = 0
    location_hits: int = 0
    location_stated: int = 0
    location_agree: int = 0
    enhancement_hits: int = 0
    enhancement_stated: int = 0
    enhancement_agree: int = 0
    slices: int = 0
    slices_stated: int = 0
    slices_near: int = 0

    def __add__(self, other: TumorCounts) -> TumorCounts:
        return TumorCounts(*map(add, self.vector(), other.vector()))

    def vector(self) -> tuple[int, ...]:
        """The fields as a tuple, in the order of `FIELDS`."""
        values: tuple[int, ...] = _VALUES(self)
        return values

    def as_dict(self) -> dict[str, int]:
        """The fields by name, in a fixed order."""
        return dict(zip(FIELDS, self.vector(), strict=True))


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(TumorCounts))
"""The names of the fields, in the order of `TumorCounts.vector()`."""

_VALUES = attrgetter(*FIELDS)


def total(rows: Iterable[TumorCounts]) -> TumorCounts:
    """The sum of `rows`; zero for none."""
    return sum(rows, TumorCounts())


@dataclass(frozen=True, slots=True)
class TumorMetric:
    """The mean of ratios, each (numerator, denominator) by the names of counts. Undefined (None) where any denominator
    is 0. Its range is 0 to 1, and more is better."""

    name: str
    label: str
    definition: str
    ratios: tuple[tuple[str, str], ...]

    def value(self, counts: TumorCounts) -> float | None:
        """The metric of these counts, or None."""
        parts: list[tuple[int, int]] = [(getattr(counts, top), getattr(counts, bottom)) for top, bottom in self.ratios]
        if not all(bottom for _, bottom in parts):
            return None
        return sum(top / bottom for top, bottom in parts) / len(parts)


_SENSITIVITY, _SPECIFICITY = ("present_found", "present"), ("absent_found", "absent")


def metrics(over: Over = "hits") -> dict[str, TumorMetric]:
    """Every metric by its name. `over`: attributes over the tumors that met ("hits", as CABS's Loc-Acc), or over all of
    the reference that state them ("reference", where a missed one is wrong); the paper does not say."""
    attributes = {slot: (f"{slot}_agree", f"{slot}_{'hits' if over == 'hits' else 'stated'}") for slot in SLOTS}
    said = f"agreeing / {'hits' if over == 'hits' else 'reference tumors'} that state it"
    rows = (
        TumorMetric("sensitivity_small", "Sen (small)", "found / present, small ones", (("small_found", "small"),)),
        TumorMetric("sensitivity_large", "Sen (large)", "found / present, large ones", (("large_found", "large"),)),
        TumorMetric("sensitivity", "Sen", "found / present", (_SENSITIVITY,)),
        TumorMetric("specificity", "Spe", "read and without one / absent", (_SPECIFICITY,)),
        TumorMetric("balanced_accuracy", "B-Acc", "mean of Sen and Spe", (_SENSITIVITY, _SPECIFICITY)),
        *(TumorMetric(f"{slot}_acc", f"{slot.capitalize()}-Acc", said, (attributes[slot],)) for slot in SLOTS),
        TumorMetric("attribute_acc", "Att-Acc", "mean of the three", tuple(attributes.values())),
        TumorMetric("k_hit", "K-Hit", "|k − k_gt| ≤ 1 / slices of the reference", (("slices_near", "slices"),)),
    )
    return {row.name: row for row in rows}


NAMES: tuple[str, ...] = tuple(metrics())
"""The names of all metrics; every result has a key for each of them."""

Scores = dict[str, float | None]


def score(counts: TumorCounts, table: Mapping[str, TumorMetric]) -> Scores:
    """Every metric of these counts by name; None where undefined."""
    return {name: metric.value(counts) for name, metric in table.items()}


def mean(parts: Sequence[Scores], table: Mapping[str, TumorMetric]) -> Scores:
    """The mean of each metric over the parts (organs) where it is defined; None where it is nowhere."""
    found = {name: [part[name] for part in parts if part[name] is not None] for name in table}
    return {name: sum(filter(None, values)) / len(values) if values else None for name, values in found.items()}
