"""The marks of a file (that of `make accuracy`, marks.yaml, where none is named) against the figures of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_name("marks.yaml")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a figure should reach (`mark`) and what it must not fall back behind (`floor`). `most`: lower is better.
    `of`: "shipped" or "local", the results that hold the figure; `figure`: its path, keys joined by a slash."""

    label: str
    of: str
    figure: str
    mark: float
    floor: float
    most: bool = False

    def reached(self, value: float) -> bool:
        """Whether a figure is as good as the mark."""
        return value <= self.mark if self.most else value >= self.mark

    def holds(self, value: float) -> bool:
        """Whether a figure is no worse than the floor."""
        return value <= self.floor if self.most else value >= self.floor


@lru_cache
def marks(file: Path = FILE) -> tuple[Mark, ...]:
    """All marks, in the order of their file."""
    return tuple(Mark(**record) for record in yaml.safe_load(file.read_text(encoding="utf-8")))


def figure(results: Mapping[str, Any], path: str) -> float | None:
    """The figure at a path; None where the results hold none."""
    value: Any = results
    for key in path.split("/"):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return None if value is None else float(value)


Results = Mapping[str, Mapping[str, Any]]


def checked(results: Results, file: Path = FILE) -> Iterator[tuple[Mark, float | None]]:
    """Every mark with its figure of the results that a run has; None where the run did not measure it."""
    for mark in marks(file):
        yield mark, figure(results.get(mark.of, {}), mark.figure)


def fallen(results: Results, file: Path = FILE) -> list[str]:
    """The figures that are worse than their floor, in words."""
    measured = [(mark, value) for mark, value in checked(results, file) if value is not None]
    return [f"{m.label} ({m.of}): {value:.3f}, floor {m.floor:.3f}" for m, value in measured if not m.holds(value)]
