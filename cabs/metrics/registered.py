"""Metrics by name: CABS's own, the baselines, and those that other packages bring (entry points, group
`cabs.metrics`).

A name may carry options, as in `embedding:model=DIR` or `f1:match=hierarchical`; it stays the name of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cabs.errors import CabsError
from cabs.metrics.definitions import NAMES
from cabs.metrics.pair_metric import PairMetric
from cabs.registry import Registry, keywords_of, refuse_unknown, spelled_name

GROUP = "cabs.metrics"
_BASELINES = "cabs.metrics.baselines"

BUILTIN: Mapping[str, str] = {
    **{f"bleu_{n}": f"{_BASELINES}.bleu:bleu" for n in (1, 2, 3, 4)},
    "chrf": f"{_BASELINES}.chrf:CHRF",
    **{f"rouge_{n}": f"{_BASELINES}.rouge:rouge" for n in ("1", "2", "l")},
    "meteor": f"{_BASELINES}.meteor:METEOR",
    "cider": f"{_BASELINES}.cider:cider",
    "embedding": f"{_BASELINES}.embedding:embedding",
    "bertscore": f"{_BASELINES}.bertscore:bertscore",
    **dict.fromkeys(NAMES, "cabs.scoring.pair_metrics:clinical"),
}
"""name → the `PairMetric`, or the function that makes it of the name and options."""

METRICS = Registry("metric", GROUP, BUILTIN)


def pair_metric(spelled: str, **options: Any) -> PairMetric:
    """The metric of a name, which may carry options (`NAME:KEY=VALUE,KEY=VALUE`); more of them as keywords.

    Raises:
        SettingError: the name or an option is unknown; CabsError: another package's metric can't be loaded.
    """
    name, written = spelled_name(spelled, "metric")
    found = METRICS.load(name)
    chosen = {**written, **options}
    if isinstance(found, PairMetric):
        refuse_unknown(chosen, (), f"metric {name!r}")
        return _checked(found, name)
    if not callable(found):
        raise CabsError(f"{name!r} is no metric", place=_package(name), hint="its metadata has to name a PairMetric")
    refuse_unknown(chosen, keywords_of(found), f"metric {name!r}")
    return replace(_checked(found(name, **chosen), name), name=spelled)


def _checked(found: object, name: str) -> PairMetric:
    if not isinstance(found, PairMetric) or found.name != name:
        what = f"the metric calls itself {found.name!r}" if isinstance(found, PairMetric) else "this is no metric"
        raise CabsError(
            what, place=f"{_package(name)}, metric {name!r}", hint="in the metadata it has to have its own name"
        )
    return found


def _package(name: str) -> str:
    return f"package {METRICS.entries[name].package!r}"


def pair_metrics(spelled: Iterable[str]) -> list[PairMetric]:
    """The metrics of these names, in their order; see `pair_metric`."""
    return [pair_metric(name) for name in spelled]
