"""Every metric as data: a numerator and a denominator, each a weighted sum of counts.

One form for all of them is what lets scores, intervals, paired tests and leaderboards share the counts. A
metric is undefined (None) exactly where its denominator is 0; this gives the empty cases of the
specification: F1 is undefined only for K = h = F = 0; for K = 0, F > 0 precision and F1 are 0 and recall is
undefined; for K > 0 and nothing predicted, recall and F1 are 0 and precision is undefined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from cabs.matching.settings import Settings
from cabs.metrics.counts import SCORE, Counts

Family = Literal["entity core", "clinical fidelity", "organ coverage", "beside"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio of counts. `scale` multiplies it (100 for "per 100 reports").

    `range` is [0, 1] for shares; per-100 rates start at 0 and have no upper end (100 × facts per report).
    `higher` is True where more is better. `definition` says it in the words of the specification.
    """

    name: str
    label: str
    family: Family
    definition: str
    numerator: Mapping[str, float]
    denominator: Mapping[str, float]
    higher: bool = True
    scale: float = 1.0

    def parts(self, counts: Counts) -> tuple[float, float]:
        """(numerator, denominator) before the scale."""
        return _sum(self.numerator, counts), _sum(self.denominator, counts)

    def value(self, counts: Counts) -> float | None:
        """The metric, or None where it is undefined (denominator 0)."""
        top, bottom = self.parts(counts)
        return self.scale * top / bottom if bottom else None


def _sum(weights: Mapping[str, float], counts: Counts) -> float:
    return sum(weight * float(getattr(counts, name)) for name, weight in weights.items())


_PREDICTED = {"hits": 1, "extra": 1}
_BOTH = {"facts": 1, "hits": 1, "extra": 1}
_ENTITY_CORE: tuple[Metric, ...] = (
    Metric("precision", "Precision", "entity core", "h/(h+F)", {"hits": 1}, _PREDICTED),
    Metric("recall", "Recall", "entity core", "h/K", {"hits": 1}, {"facts": 1}),
    Metric("f1", "F1", "entity core", "2h/(K+h+F)", {"hits": 2}, _BOTH),
)


def _fidelity(settings: Settings) -> tuple[Metric, ...]:
    over, name = ({"facts": 1}, "c/K") if settings.fidelity_over == "reference" else ({"hits": 1}, "c/h")
    family: Family = "clinical fidelity"
    return (
        Metric("loc_acc", "Loc-Acc", family, "hits whose location agrees / h", {"location_hits": 1}, {"hits": 1}),
        Metric(
            "att_acc",
            "Att-Acc",
            family,
            "hits whose attributes agree / h",
            {"attribute_hits": 1},
            {"hits": 1},
        ),
        Metric("fc_rate", "FC-Rate", family, name, {"consistent": 1}, over),
        Metric("fc_f1", "FC-F1", family, "2c/(K+h+F)", {"consistent": 2}, _BOTH),
    )


def _organs(settings: Settings) -> tuple[Metric, ...]:
    family: Family = "organ coverage"
    full = "organs_full" if settings.fm_over == "consistent" else "organs_full_hit"
    base = "organs_either" if settings.fm_base == "union" else "organs_reference"
    reference, prediction, both = {"organs_reference": 1}, {"organs_prediction": 1}, {"organs_both": 1}
    either = {**reference, **prediction}
    return (
        Metric(
            "or_rate",
            "Or-Rate",
            family,
            "reference organs with a hit / reference organs",
            {"organs_hit": 1},
            reference,
        ),
        Metric("or_precision", "Or-P", family, "organs of both / organs of the prediction", both, prediction),
        Metric("or_recall", "Or-R", family, "organs of both / organs of the reference", both, reference),
        Metric("or_f1", "Or-F1", family, "2 × organs of both / (organs of each)", {"organs_both": 2}, either),
        Metric(
            "fmor_rate",
            "FMOr-Rate",
            family,
            f"fully matched organs / organs ({settings.fm_base})",
            {full: 1},
            {base: 1},
        ),
    )


_MISSED = {"weight_hits": 2, "weight_missed": 1, "weight_extra": 1}
_BESIDE: tuple[Metric, ...] = (
    Metric(
        "certainty_acc",
        "Certainty-Acc",
        "beside",
        "hits of equal certainty / h",
        {"certainty_hits": 1},
        {"hits": 1},
    ),
    Metric(
        "contradiction_rate",
        "Contradictions",
        "beside",
        "contradicted facts / present facts of both sides",
        {"contradicted": 1},
        _BOTH,
        higher=False,
    ),
    Metric(
        "normal_specificity",
        "Normal-Spec",
        "beside",
        "normal references with a normal prediction / normal references",
        {"normal_correct": 1},
        {"normal_references": 1},
    ),
    Metric(
        "weighted_f1",
        "Weighted F1",
        "beside",
        "2Σw(hits)/(Σw(reference)+Σw(predicted))",
        {"weight_hits": 2},
        _MISSED,
    ),
    Metric(
        "cabs_score",
        "CABS-Score",
        "beside",
        "mean of (1+T)/(1+T+E) over references with facts",
        {"cabs_facts": 1},
        {"with_facts": SCORE},
    ),
    Metric(
        "cabs_score_normal",
        "CABS-Score, normals",
        "beside",
        "mean of 1/(1+E) over references without facts",
        {"cabs_normal": 1},
        {"reports": SCORE, "with_facts": -SCORE},
    ),
    Metric(
        "critical_missed_per_100",
        "Critical missed /100",
        "beside",
        "missed critical facts per 100 reports",
        {"critical_missed": 1},
        {"reports": 1},
        higher=False,
        scale=100.0,
    ),
    Metric(
        "critical_invented_per_100",
        "Critical invented /100",
        "beside",
        "unmatched critical predictions per 100 reports",
        {"critical_invented": 1},
        {"reports": 1},
        higher=False,
        scale=100.0,
    ),
    Metric(
        "read_rate",
        "Read",
        "beside",
        "predictions read / scored pairs",
        {"prediction_read": 1},
        {"reports": 1},
    ),
)


def metrics(settings: Settings | None = None) -> dict[str, Metric]:
    """Every metric by its canonical name, in the order of the tables, under `settings` (fidelity_over,
    fm_*)."""
    settings = settings or Settings()
    rows = (*_ENTITY_CORE, *_fidelity(settings), *_organs(settings), *_BESIDE)
    return {metric.name: metric for metric in rows}


NAMES: tuple[str, ...] = tuple(metrics())
"""The canonical names of all metrics; every result has a key for each of them."""
