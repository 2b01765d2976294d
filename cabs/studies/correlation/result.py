"""What a correlation study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from cabs.metrics.estimates import Estimate
from cabs.metrics.resample import Floats
from cabs.signature import Signature

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

CLINICAL = "clinical"
"""The family that the others are held against."""

LevelName = Literal["systems", "with_controls", "reports"]
Json = dict[str, Any]
Couple = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric of the study, as its contract states it."""

    name: str
    label: str
    family: str
    higher: bool
    signature: str


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A metric that was left out: what is missing and how it comes."""

    name: str
    missing: str
    install: str


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system or a control. `values`: by metric, in the metric's own direction. `places`: its rank by metric among the
    real systems, 1 the best; a control is ranked between them, from 0.5 to their number + 0.5. `ranks`: the mean of
    these by family. `corner`: by family that isn't clinical, whether it is in the hallucination corner (in the better
    half there, in the worse half of the clinical family), and `in_corner` the share of draws in which it is; None
    without draws."""

    name: str
    label: str
    control: bool
    how: str
    values: Mapping[str, Estimate]
    places: Mapping[str, float | None]
    ranks: Mapping[str, Estimate]
    corner: Mapping[str, bool]
    in_corner: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Level:
    """Spearman's coefficients on one level, each metric turned so that more is better.

    `pairs`: of every two metrics, in the order of the metrics (n: what it is over; `left_out`: what lacked a value).
    `families`: the mean over the pairs of two families, or within one. `within`, `across`: over all pairs of one
    family, and of two; `difference`: within less across.
    """

    name: LevelName
    pairs: Mapping[Couple, Estimate]
    left_out: Mapping[Couple, int]
    families: Mapping[Couple, Estimate]
    within: Estimate
    across: Estimate
    difference: Estimate

    def rho(self, a: str, b: str) -> float | None:
        """The coefficient of two metrics in either order; 1 of a metric and itself."""
        if a == b:
            return 1.0
        found = self.pairs.get((a, b)) or self.pairs[b, a]
        return found.value


@dataclass(frozen=True, slots=True)
class Example:
    """A pair whose words are near and whose facts are not: the share of all pairs of real systems that are worse, on
    average over the metrics that aren't clinical (`near`) and over the clinical ones, and its texts ("" where a side
    is facts alone)."""

    id: str
    system: str
    near: float
    clinical: float
    reference: str
    prediction: str


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation study (specification of CABS, "Studies": evaluation hallucination).

    `reports`: the ids that every system has; `left_out`: by system, the ids that not every one has. `systems`: real
    ones by name, then controls. `values`: by (system, metric), one value a report in the order of `ids`, nan where
    undefined.
    """

    signature: Signature
    ids: tuple[str, ...] = field(repr=False)
    left_out: Mapping[str, int]
    metrics: tuple[MetricRow, ...]
    unavailable: tuple[Unavailable, ...]
    systems: tuple[SystemRow, ...]
    levels: Mapping[LevelName, Level]
    examples: tuple[Example, ...] = field(repr=False)
    notes: tuple[str, ...]
    values: Mapping[Couple, Floats] = field(repr=False)

    @property
    def reports(self) -> int:
        """How many reports every system has."""
        return len(self.ids)

    @property
    def real(self) -> tuple[SystemRow, ...]:
        """The systems that are no controls."""
        return tuple(system for system in self.systems if not system.control)

    @property
    def families(self) -> tuple[str, ...]:
        """The families of the metrics, in their order."""
        return tuple(dict.fromkeys(metric.family for metric in self.metrics))

    @property
    def against(self) -> tuple[str, ...]:
        """The families that are held against the clinical one; none where that is missing."""
        return tuple(f for f in self.families if f != CLINICAL) if CLINICAL in self.families else ()

    def of_family(self, family: str) -> tuple[MetricRow, ...]:
        """The metrics of a family."""
        return tuple(metric for metric in self.metrics if metric.family == family)

    def to_json(self) -> Json:
        """The results.json page; it holds no word of a report."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "reports": self.reports,
            "left_out": dict(self.left_out),
            "metrics": [asdict(metric) for metric in self.metrics],
            "unavailable": [asdict(metric) for metric in self.unavailable],
            "systems": [_system(system) for system in self.systems],
            "spearman": {name: _level(level) for name, level in self.levels.items()},
            "notes": list(self.notes),
        }


def _system(system: SystemRow) -> Json:
    return {
        "name": system.name,
        "label": system.label,
        "control": system.control,
        "how": system.how,
        "values": {name: value.to_json() for name, value in system.values.items()},
        "places": dict(system.places),
        "ranks": {name: value.to_json() for name, value in system.ranks.items()},
        "corner": dict(system.corner),
        "in_corner": dict(system.in_corner),
    }


def _level(level: Level) -> Json:
    return {
        "pairs": [
            {"a": a, "b": b, "left_out": level.left_out[a, b], **rho.to_json()} for (a, b), rho in level.pairs.items()
        ],
        "families": [{"a": a, "b": b, **rho.to_json()} for (a, b), rho in level.families.items()],
        "within": level.within.to_json(),
        "across": level.across.to_json(),
        "difference": level.difference.to_json(),
    }
