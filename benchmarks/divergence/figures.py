"""The curves of all runs → what is stored of them, and how a row of seeds is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.divergence.judge import Curve

Figures = dict[str, Any]
DIGITS = 4


def summary(curves: Mapping[str, Mapping[int, Curve]]) -> Figures:
    """label → seed → curve, as label → step → metric → the values of the seeds, in order."""
    return {label: _by_step([by_seed[seed] for seed in sorted(by_seed)]) for label, by_seed in curves.items()}


def _by_step(curves: Sequence[Curve]) -> Figures:
    steps = sorted(set.intersection(*(set(curve) for curve in curves)))
    return {str(step): values([curve[step] for curve in curves]) for step in steps}


def values(seeds: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Every metric with its values by seed, in order."""
    names = [name for name in seeds[0] if all(name in one for one in seeds)]
    return {name: [round(one[name], DIGITS) for one in seeds] for name in names}


def ends(curve: Mapping[str, Mapping[str, list[float]]]) -> tuple[Mapping[str, list[float]], Mapping[str, list[float]]]:
    """The first and the last evaluation."""
    steps = sorted(curve, key=int)
    return curve[steps[0]], curve[steps[-1]]


def told(values: Sequence[float]) -> str:
    """A mean over seeds with the least and the greatest.

    >>> told([0.5, 0.6, 0.7])
    '0.600 (0.500 to 0.700)'
    """
    if len(values) == 1:
        return f"{values[0]:.3f}"
    return f"{fmean(values):.3f} ({min(values):.3f} to {max(values):.3f})"
