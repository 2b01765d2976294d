"""The result of a run over tumors: per system its counts and scores by organ, pooled, and as a mean over organs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cabs.scoring.left_out import Listed
from cabs.scoring.tasks.tumor.counts import Scores, TumorCounts
from cabs.signature import Signature

if TYPE_CHECKING:
    from cabs.metrics.intervals import Interval

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""
TASK = "tumor"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scope:
    """Scores of one organ, of all pooled, or the mean over organs (which has no counts of its own)."""

    scores: Scores
    intervals: Mapping[str, Interval | None]
    counts: TumorCounts | None = None

    def to_json(self) -> Json:
        """The scope in JSON's own types."""
        return {
            "counts": None if self.counts is None else self.counts.as_dict(),
            "scores": dict(self.scores),
            "intervals": {name: None if i is None else asdict(i) for name, i in self.intervals.items()},
        }


@dataclass(frozen=True, slots=True)
class TumorSystem:
    """One system. `organs` by id, in the order of the ids; "any" where reports were judged as a whole."""

    system: str | None
    scored: int
    organs: Mapping[str, Scope]
    mean: Scope
    pooled: Scope
    unscored: tuple[Listed, ...]
    silent: tuple[Listed, ...]
    warnings: tuple[str, ...]

    @property
    def label(self) -> str:
        """What the system is called in tables."""
        return self.system or "score"


@dataclass(frozen=True, slots=True)
class TumorResult:
    """Every system of a run, in the order in which they came, and the signature of the numbers."""

    signature: Signature
    systems: tuple[TumorSystem, ...]
    warnings: tuple[str, ...] = field(default=())


def document(result: TumorResult) -> Json:
    """The result in JSON's own types: no path, no time, no number of workers."""
    return {
        "schema_version": SCHEMA_VERSION,
        "task": TASK,
        "signature": str(result.signature),
        "settings": result.signature.items,
        "systems": [_system(system) for system in result.systems],
        "warnings": list(result.warnings),
    }


def _system(system: TumorSystem) -> Json:
    return {
        "system": system.system,
        "pairs": system.scored + len(system.unscored),
        "scored": system.scored,
        "organs": {organ: scope.to_json() for organ, scope in system.organs.items()},
        "mean": system.mean.to_json(),
        "pooled": system.pooled.to_json(),
        "unscored": [asdict(item) for item in system.unscored],
        "silent": [asdict(item) for item in system.silent],
        "warnings": list(system.warnings),
    }
