"""Metrics by name: CABS's own, the baselines, and those that other packages bring (entry points, group
`cabs.metrics`).

A name may carry options, as in `embedding:model=DIR` or `f1:match=hierarchical`; it stays the name of the result.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cabs.errors import CabsError, SettingError
from cabs.metrics.definitions import NAMES
from cabs.metrics.pair_metric import PairMetric
from cabs.registry import Registry, offer

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
    name, written = _read(spelled)
    found = METRICS.load(name)
    chosen = {**written, **options}
    if isinstance(found, PairMetric):
        _known(name, chosen, ())
        return _checked(found, name)
    if not callable(found):
        raise CabsError(f"{name!r} is no metric", place=_package(name), hint="its metadata has to name a PairMetric")
    accepted = list(inspect.signature(found).parameters.values())[1:]
    if all(parameter.kind is not parameter.VAR_KEYWORD for parameter in accepted):  # else it checks them itself
        _known(name, chosen, [parameter.name for parameter in accepted])
    return replace(_checked(found(name, **chosen), name), name=spelled)


def _read(spelled: str) -> tuple[str, dict[str, str]]:
    name, colon, rest = spelled.partition(":")
    options: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key or key in options:
            raise SettingError(f"{part!r} is no option", place=f"metric {spelled!r}", hint="NAME:KEY=VALUE,KEY=VALUE")
        options[key] = value
    return name, options


def _known(name: str, options: Mapping[str, Any], accepted: Iterable[str]) -> None:
    known = list(accepted)
    for option in options:
        if option not in known:
            hint = offer(option, known) if known else "it takes no options"
            raise SettingError(f"{option!r} is no option of it", place=f"metric {name!r}", hint=hint)


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
