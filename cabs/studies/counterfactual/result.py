"""What a counterfactual study gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cabs.metrics.intervals import Interval
from cabs.signature import Signature
from cabs.studies.counterfactual.ladder import Ladders
from cabs.studies.counterfactual.measure import Phis
from cabs.studies.counterfactual.rank import EQUAL, Group

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

IDENTITY_METRICS = frozenset({"f1", "precision", "recall"})
"""Metrics that look at which findings are stated and at nothing else; they answer for errors of identity."""

WHOLE = ("all", "identity", "steps", EQUAL)
"""What φ is of that is not about one type of error or one rung."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MetricPhi:
    """φ of one metric. `answers`: the set of types that it answers for ("all" or "identity"); `phi` and `clean`: by
    what it is of, with and without rewording (`clean` is empty for written cases)."""

    name: str
    label: str
    family: str
    signature: str
    answers: str
    phi: Phis
    clean: Phis

    def to_json(self) -> Json:
        """The metric in JSON's own types; what there is no pair of is left out."""
        return {
            "label": self.label,
            "family": self.family,
            "signature": self.signature,
            "answers": self.answers,
            "phi": _defined(self.phi),
            "clean": _defined(self.clean),
        }


def _defined(phis: Phis) -> Json:
    return {what: estimate.to_json() for what, estimate in phis.items() if estimate.n}


@dataclass(frozen=True, slots=True)
class Part:
    """One table: generated ladders, or the written cases of one file or category. `groups`: references or cases;
    `variants`: their texts."""

    name: str
    category: str
    groups: int
    variants: int
    metrics: tuple[MetricPhi, ...]

    def to_json(self) -> Json:
        """The part in JSON's own types."""
        return {
            "name": self.name,
            "category": self.category,
            "groups": self.groups,
            "variants": self.variants,
            "metrics": {metric.name: metric.to_json() for metric in self.metrics},
        }


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The whole study. `left_out`: references without ladders by reason; `drawn`: errors by type over all top rungs,
    and over all first rungs. `made`: the ladders. `groups`: the texts that were ranked, by part ("ladders" or the name
    of a file of cases); `values`: part → metric → a list of values for each group. `retold`: variants that another
    program said anew, and those that stayed as they were, by reason; None where none was asked."""

    signature: Signature
    ladders: Part | None
    cases: tuple[Part, ...]
    references: int
    left_out: Mapping[str, int]
    retold: Mapping[str, int] | None
    drawn: Mapping[str, Mapping[str, int]]
    made: tuple[Ladders, ...] = field(repr=False)
    groups: Mapping[str, Sequence[Group]] = field(repr=False)
    values: Mapping[str, Mapping[str, Sequence[Sequence[float]]]] = field(repr=False)

    def intervals(self) -> Iterator[Interval | None]:
        """Those of ladders and whole files of cases; types and categories are told by their number of pairs."""
        whole = [part for part in (self.ladders, *self.cases) if part is not None and not part.category]
        return (metric.phi[what].interval for part in whole for metric in part.metrics for what in WHOLE)

    def to_json(self) -> Json:
        """The results.json page; it holds no word of a report."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "references": self.references,
            "left_out": dict(self.left_out),
            "retold": None if self.retold is None else dict(self.retold),
            "errors": {name: dict(types) for name, types in self.drawn.items()},
            "ladders": None if self.ladders is None else self.ladders.to_json(),
            "cases": [part.to_json() for part in self.cases],
        }
