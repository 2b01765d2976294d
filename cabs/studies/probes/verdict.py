"""A rule, a metric and what it gives to the probes → whether the metric obeys, and how clearly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cabs.metrics.intervals import Interval, Resampling, draws, interval_of
from cabs.metrics.measured import Floats
from cabs.studies.probes.data import WITHOUT, Probe, Rule
from cabs.studies.probes.standing import Standing, difference

NO_SCALE = "the metric gives the reference no more than silence, or neither a value"
NO_PLACE = "no reference has a place for it"


@dataclass(frozen=True, slots=True)
class Check:
    """One rule held against one metric.

    `value` is the worth of the probe, `other` that of the text that it is held against; the rule asks that `lead`, by
    which the metric obeys it, is 0 or more (above 0 where `strict`). `interval`: of the lead, references drawn anew.
    `passed` is None where the rule can't be held against it, with the reason.
    """

    probe: str
    kind: str
    than: str
    by: float
    references: int
    value: float | None
    other: float | None
    lead: float | None
    strict: bool
    interval: Interval | None
    reason: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the metric obeys."""
        if self.lead is None:
            return None
        return self.lead > SLACK if self.strict else self.lead >= -SLACK

    @property
    def clear(self) -> bool:
        """Whether the interval of the lead leaves no doubt."""
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)


SLACK = 1e-9
"""Rounding is neither a gain nor a loss."""


def checks(probe: Probe, standing: Standing, margins: Mapping[str, float], resampling: Resampling) -> list[Check]:
    """Every rule of a probe that holds for the metric."""
    metric = standing.metric
    return [
        _check(probe.id, rule, than, standing, margins.get(rule.by, 0.0), resampling)
        for rule in probe.rules
        if rule.applies(metric.name, metric.family)
        for than in rule.than or ("",)
    ]


def _check(probe: str, rule: Rule, than: str, standing: Standing, by: float, resampling: Resampling) -> Check:
    others = _others(rule.kind, probe, than)
    chosen = standing.common(probe, "reference", "empty", *others)
    rows = np.flatnonzero(chosen)
    strict = not rule.by
    blank = Check(probe, rule.kind, than, by, len(rows), None, None, None, strict, None, NO_PLACE)
    if not len(rows):
        return blank
    whole = np.zeros((1, len(chosen)))
    whole[0, rows] = 1.0
    lead = _lead(rule.kind, standing, probe, than or None, by)
    value = float(lead(whole)[0])
    own = _number(standing.worth(probe, whole))
    other = _number(standing.worth(than, whole)) if than else None
    if np.isnan(value):
        return Check(probe, rule.kind, than, by, len(rows), own, other, None, strict, None, NO_SCALE)
    interval = _interval(lead, value, rows, len(chosen), resampling)
    return Check(probe, rule.kind, than, by, len(rows), own, other, value, strict, interval)


def _others(kind: str, probe: str, than: str) -> tuple[str, ...]:
    """The texts besides the probe that a rule needs of a reference."""
    if kind == "milder":
        return (than, f"{WITHOUT}{probe}", f"{WITHOUT}{than}")
    return (than,) if than else ()


def _number(values: Floats) -> float | None:
    value = float(values[0])
    return None if np.isnan(value) else value


def _milder(standing: Standing, probe: str, than: str) -> Callable[[Floats], Floats]:
    """By how much one change costs less than another, each measured by the cost of leaving out what it changes; free of
    division, since leaving out denials may cost nothing."""

    def values(weights: Floats) -> Floats:
        lost = {name: 1.0 - standing.worth(name, weights) for name in _others("milder", probe, than)}
        own = 1.0 - standing.worth(probe, weights)
        return lost[than] * lost[f"{WITHOUT}{probe}"] - own * lost[f"{WITHOUT}{than}"]

    return values


def _lead(kind: str, standing: Standing, probe: str, than: str | None, by: float) -> Callable[[Floats], Floats]:
    """Weights → by how much a rule is obeyed."""
    if kind == "milder":
        return _milder(standing, probe, than or "")
    apart = difference(standing, probe, than)
    leads: dict[str, Callable[[Floats], Floats]] = {
        "below": lambda w: -apart(w) - by,
        "not_above": lambda w: by - apart(w),
        "same": lambda w: by - np.abs(apart(w)),
        "above": apart,
        "at_most": lambda w: by - apart(w),
        "costs": lambda w: 1.0 - by - difference(standing, probe, than, by)(w),
    }
    return leads[kind]


def _interval(
    lead: Callable[[Floats], Floats], value: float, rows: Any, size: int, resampling: Resampling
) -> Interval | None:
    if not resampling.n or len(rows) < 2:
        return None
    units = np.zeros((len(rows), size))
    units[np.arange(len(rows)), rows] = 1.0
    redrawn = lead(draws(units, resampling))
    defined = redrawn[~np.isnan(redrawn)]
    if not len(defined):
        return None

    def left_out() -> Floats:
        rest = lead(units.sum(axis=0) - units)
        return np.asarray(rest[~np.isnan(rest)], dtype=np.float64)

    undefined = len(redrawn) - len(defined)
    return interval_of(value, defined, left_out, len(rows), resampling, undefined=undefined)


def verdicts(found: list[Check]) -> Iterator[tuple[str, bool | None]]:
    """Probe → whether every rule that could be held against the metric is obeyed; None where none could."""
    by_probe: dict[str, list[bool]] = {}
    for check in found:
        mine = by_probe.setdefault(check.probe, [])
        if check.passed is not None:
            mine.append(check.passed)
    for probe, passed in by_probe.items():
        yield probe, all(passed) if passed else None
