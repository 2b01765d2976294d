"""What a study of metrics against people gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cabs.metrics.estimates import Estimate
from cabs.metrics.intervals import Interval
from cabs.signature import Signature
from cabs.studies.humans.rated import Rated

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

Json = dict[str, Any]
Measures = Mapping[str, Estimate]
"""tau_b, spearman, pearson and preference; or order and equal, of cases."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One rater: its field, its direction, how many pairs it rated, and how far it agrees with the mean of the others
    ({} where there are none)."""

    field: str
    higher: bool
    rated: int
    others: Measures

    def to_json(self) -> Json:
        """The rater in JSON's own types."""
        return {"higher": self.higher, "rated": self.rated, "against_others": _page(self.others)}


@dataclass(frozen=True, slots=True)
class Agreeing:
    """How far one metric agrees with people. More of it always means a better prediction: signs are turned.

    - mean: with the mean of all raters. others: with the mean of all but one of them, averaged over who is left out;
      the same of a rater instead of the metric, on the same pairs, is the `ceiling`. raters: with each rater.
    - order: with stated orders, whole and by category.
    - n: pairs that all raters rated and the metric gives a value; left_out: those rated where it gives none.
    """

    name: str
    label: str
    family: str
    higher: bool
    signature: str
    n: int
    left_out: int
    mean: Measures
    others: Measures
    ceiling: Measures
    raters: Mapping[str, Measures]
    order: Measures
    categories: Mapping[str, Measures]

    def to_json(self) -> Json:
        """The metric in JSON's own types."""
        return {
            "label": self.label,
            "family": self.family,
            "higher": self.higher,
            "signature": self.signature,
            "n": self.n,
            "left_out": self.left_out,
            "against_mean": _page(self.mean),
            "against_others": _page(self.others),
            "ceiling": _page(self.ceiling),
            "against_raters": {name: _page(measures) for name, measures in self.raters.items()},
            "against_order": _page(self.order),
            "categories": {name: _page(measures) for name, measures in self.categories.items()},
        }


@dataclass(frozen=True, slots=True)
class Humans:
    """The whole study. `full`: pairs that every rater rated; `ceiling`: how far a rater agrees with the mean of the
    others on them; `values`: metric → one number a candidate, nan where undefined."""

    signature: Signature
    pairs: int
    references: int
    full: int
    raters: tuple[Reader, ...]
    ceiling: Measures
    metrics: tuple[Agreeing, ...]
    notes: tuple[str, ...]
    rated: Rated = field(repr=False)
    values: Mapping[str, Sequence[float]] = field(repr=False)

    def intervals(self) -> Iterator[Interval | None]:
        """Those of all agreements and of the ceiling."""
        of_metrics = (found for m in self.metrics for found in (m.mean, m.others, m.order))
        return (estimate.interval for found in (self.ceiling, *of_metrics) for estimate in found.values())

    def to_json(self) -> Json:
        """The results.json page; it holds no word of a report."""
        return {
            "schema_version": SCHEMA_VERSION,
            "signature": str(self.signature),
            "pairs": self.pairs,
            "references": self.references,
            "fully_rated": self.full,
            "raters": {reader.field: reader.to_json() for reader in self.raters},
            "ceiling": _page(self.ceiling),
            "metrics": {metric.name: metric.to_json() for metric in self.metrics},
            "notes": list(self.notes),
        }


def _page(measures: Measures) -> Json:
    return {name: estimate.to_json() for name, estimate in measures.items()}
