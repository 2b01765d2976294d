"""What a study of probes gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cabs.metrics.intervals import Interval
from cabs.signature import Signature
from cabs.studies.probes.data import Probe
from cabs.studies.probes.texts import Texts
from cabs.studies.probes.verdict import Check, verdicts

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Value:
    """What a metric gives to a text over the references that have it: `raw` in its own scale, `worth` on the common
    one (0: silence, 1: the reference itself); None where undefined."""

    references: int
    raw: float | None
    worth: float | None


@dataclass(frozen=True, slots=True)
class Probed:
    """One metric: what it gives to every text, and every check."""

    name: str
    label: str
    family: str
    signature: str
    values: Mapping[str, Value]
    checks: tuple[Check, ...]

    @property
    def verdicts(self) -> dict[str, bool | None]:
        """Probe → passed; None where no rule could be held against it. A probe without a rule for it is left out."""
        return dict(verdicts(list(self.checks)))

    def to_json(self) -> Json:
        """The metric in JSON's own types."""
        return {
            "label": self.label,
            "family": self.family,
            "signature": self.signature,
            "verdicts": self.verdicts,
            "values": {name: asdict(value) for name, value in self.values.items()},
            "checks": [{**asdict(check), "passed": check.passed, "clear": check.clear} for check in self.checks],
        }


@dataclass(frozen=True, slots=True)
class Probing:
    """The whole study. `references`: with findings, on which the probes stand; `normal` and `unread`: how many others
    there are; `written`: paraphrases that people wrote; `texts`: one a reference."""

    signature: Signature
    references: int
    normal: int
    unread: int
    written: int
    margins: Mapping[str, float]
    probes: tuple[Probe, ...]
    metrics: tuple[Probed, ...]
    ids: tuple[str, ...] = field(repr=False)
    texts: Sequence[Texts] = field(repr=False)

    def intervals(self) -> Iterator[Interval | None]:
        """Those of all checks."""
        return (check.interval for metric in self.metrics for check in metric.checks)

    def to_json(self) -> Json:
        """The results.json page; it holds no word of a report."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "references": self.references,
            "normal": self.normal,
            "unread": self.unread,
            "written_paraphrases": self.written,
            "margins": dict(self.margins),
            "probes": {p.id: p.model_dump(mode="json", exclude={"id"}) for p in self.probes},
            "metrics": {metric.name: metric.to_json() for metric in self.metrics},
        }
