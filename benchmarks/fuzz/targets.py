"""Every target by its name."""

from __future__ import annotations

from benchmarks.fuzz import answers, files, folders, texts
from benchmarks.fuzz.target import Target

TARGETS: tuple[Target, ...] = (*files.TARGETS, *texts.TARGETS, *answers.TARGETS, *folders.TARGETS)
NAMES = tuple(target.name for target in TARGETS)


def target(name: str) -> Target:
    """The target of a name. Raises KeyError where there is none."""
    return {target.name: target for target in TARGETS}[name]
