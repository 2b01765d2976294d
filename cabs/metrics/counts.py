"""Additive counts of one report, of many, or of a part of them. Count first, divide last.

Every field is a whole number, so that sums never depend on the order of reports or on the number of workers.
Weights are kept in thousandths, CABS-Scores in billionths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import add, attrgetter

WEIGHT = 1000
"""Units of a clinical weight of 1 in the `weight_*` fields."""

SCORE = 10**9
"""Units of a CABS-Score of 1 in the `cabs_*` fields: a corpus of 9 million reports still adds up exactly in a
float."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What is added up. `Counts()` is zero; `a + b` adds field by field; the sum over reports is the corpus.

    Reports: `reports` scored pairs (the reference was read); `unscored` pairs whose reference was not;
    `prediction_read` scored pairs whose prediction was read; `normal_references` among the scored,
    `normal_correct` of these with a normal prediction; `with_facts` scored pairs with K > 0.
    Facts: `facts` K, `hits` h, `extra` F, `exact` hits with the very entity, `location_hits`,
    `attribute_hits`, `consistent`, `certainty_hits`: hits that agree in this slot; `contradicted` present
    facts of both sides.
    Organs: with present facts in the reference, the prediction, both, either; `organs_hit` with at least one
    hit; `organs_full` and `organs_full_hit`: every reference fact consistent (or just hit) and nothing
    unmatched.
    Weights (thousandths): of hits and of missed facts (the reference fact's weight), of unmatched
    predictions.
    Critical: missed and invented facts of the class critical. `cabs_facts`, `cabs_normal`: sums of
    CABS-Scores (billionths) over references with and without facts.
    """

    reports: int = 0
    unscored: int = 0
    prediction_read: int = 0
    normal_references: int = 0
    normal_correct: int = 0
    with_facts: int = 0
    facts: int = 0
    hits: int = 0
    extra: int = 0
    exact: int = 0
    location_hits: int = 0
    attribute_hits: int = 0
    consistent: int = 0
    certainty_hits: int = 0
    contradicted: int = 0
    organs_reference: int = 0
    organs_prediction: int = 0
    organs_both: int = 0
    organs_either: int = 0
    organs_hit: int = 0
    organs_full: int = 0
    organs_full_hit: int = 0
    weight_hits: int = 0
    weight_missed: int = 0
    weight_extra: int = 0
    critical_missed: int = 0
    critical_invented: int = 0
    cabs_facts: int = 0
    cabs_normal: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(add, self.vector(), other.vector()))

    def vector(self) -> tuple[int, ...]:
        """The fields as a tuple, in the order of `FIELDS`."""
        values: tuple[int, ...] = _VALUES(self)
        return values

    def as_dict(self) -> dict[str, int]:
        """The fields by name, in a fixed order."""
        return dict(zip(FIELDS, self.vector(), strict=True))


FIELDS: tuple[str, ...] = tuple(field.name for field in fields(Counts))
"""The names of the fields, in the order of `Counts.vector()`."""

_VALUES = attrgetter(*FIELDS)


def total(rows: Sequence[Counts]) -> Counts:
    """The sum of `rows`; zero for none."""
    return Counts(*map(sum, zip(*(row.vector() for row in rows), strict=True))) if rows else Counts()
