"""Which metrics a study takes, where it isn't told: all that there are and that need no model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cabs.metrics.chosen import chosen_metrics, named_metric
from cabs.metrics.definitions import NAMES
from cabs.metrics.pair_metric import PairMetric
from cabs.metrics.registered import METRICS
from cabs.ontology import Ontology
from cabs.studies.correlation.result import Unavailable

ALL = "all"
"""Stands for every registered metric, whatever it measures."""

GRADES = ("f1", "fc_f1", "or_f1", "fmor_rate", "weighted_f1", "cabs_score")
"""CABS's metrics that grade a whole report: both what is missing and what is invented costs. The others are halves of
these, look at hits alone or at a part of the references; by name they can be had too."""

MODELS = ("embedding", "bertscore")
"""Metrics that take a model."""


class Choice(NamedTuple):
    """The metrics of a study, and those that would have been among them if something were installed."""

    metrics: tuple[PairMetric, ...]
    unavailable: tuple[Unavailable, ...] = ()


def choose(
    ontology: Ontology,
    names: Sequence[str] = (),
    *,
    model: Path | None = None,
    columns: Sequence[str] = (),
    scores: Path | None = None,
) -> Choice:
    """The metrics of these names (`cabs metrics` lists them; an option may follow, see `pair_metric`), else all that
    need no model, those of CABS being `GRADES`; of a directory with a model's weights those that take one, too; and
    columns of scores (see `read_column`). CABS's own read with `ontology`.

    What isn't installed is left out of a choice that was not asked for by name, and told.

    Raises:
        SettingError: a name, an option or a column can't be understood, or a column has a metric's name, or there is a
        file of scores and no column; MissingExtraError: a metric that was named needs what isn't installed; InputError:
        the file of scores can't be read.
    """
    asked = [name for name in names if name != ALL]
    free = ALL in names or not names
    spelled = [*_every(ALL in names), *asked] if free else asked
    found = [_metric(name, ontology, model) for name in dict.fromkeys(_with_models(spelled, model))]
    lacking = [] if not free else [m for m in found if m.name not in asked and m.needs.missing() is not None]
    for metric in found:
        if metric not in lacking:
            metric.needs.check(f"metric {metric.name!r}")
    kept = [metric for metric in found if metric not in lacking]
    kept += chosen_metrics((), columns, scores)
    return Choice(tuple(kept), tuple(map(_unavailable, lacking)))


def split_names(spelled: Sequence[str]) -> list[str]:
    """The names in options that hold one or several, separated by commas; a metric's own options stay with it.

    >>> split_names(["rouge_l,f1:match=hierarchical,scope=section", "fc_f1"])
    ['rouge_l', 'f1:match=hierarchical,scope=section', 'fc_f1']
    """
    found: list[str] = []
    for part in (part.strip() for text in spelled for part in [*text.split(","), ""]):
        name, equals, _ = part.partition("=")
        if equals and ":" not in name and found and ":" in found[-1]:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def _every(truly: bool) -> list[str]:
    """Every name, or those that a study takes by itself."""
    own = set(NAMES) - set(GRADES)
    return [name for name in METRICS.names if truly or (name not in own and name not in MODELS)]


def _with_models(names: Sequence[str], model: Path | None) -> list[str]:
    """The names, and where a model is given one metric at least that takes it."""
    taking = any(name.partition(":")[0] in MODELS for name in names)
    return [*names] if model is None or taking else [*names, *MODELS]


def _metric(spelled: str, ontology: Ontology, model: Path | None) -> PairMetric:
    name, colon, _ = spelled.partition(":")
    options = {"model": str(model)} if name in MODELS and model is not None and not colon else {}
    return named_metric(spelled, ontology, **options)


def _unavailable(metric: PairMetric) -> Unavailable:
    missing, install = metric.needs.missing() or ("", "")
    return Unavailable(metric.name, missing, install)
