"""Samples that answer one prompt are a group: has it anything to learn from, and do answers repeat themselves?

`groups` says which samples belong together; it has one item a sample, as has what comes with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cabs.errors import CabsError
from cabs.rewards.completion import answer_of

EVEN = 1e-12
"""Values that differ by less teach nothing."""


def dead_groups(groups: Sequence[Hashable], values: Sequence[float | None]) -> float | None:
    """Share of the groups with several values in which all are the same, so that no advantage is left; None without
    such groups."""
    found: dict[Hashable, list[float]] = {}
    for group, value in zip(groups, values, strict=True):
        if value is not None:
            found.setdefault(group, []).append(value)
    several = [values for values in found.values() if len(values) > 1]
    return sum(max(v) - min(v) < EVEN for v in several) / len(several) if several else None


def repeated(groups: Sequence[Hashable], completions: Sequence[object]) -> float:
    """Share of the samples whose answer a sample of another group has too: one text for everybody is the first thing
    that a policy learns which has found a hole. 0 for no samples."""
    answers = [_words(completion) for completion in completions]
    homes: dict[str, set[Hashable]] = {}
    for group, answer in zip(groups, answers, strict=True):
        homes.setdefault(answer, set()).add(group)
    return sum(len(homes[answer]) > 1 for answer in answers) / len(answers) if answers else 0.0


def duplicates(groups: Sequence[Hashable], completions: Sequence[object]) -> float:
    """Share of the samples whose answer an earlier one of the same group has given already. 0 for no samples."""
    answers = [_words(completion) for completion in completions]
    different = len(set(zip(groups, answers, strict=True)))
    return 1 - different / len(answers) if answers else 0.0


def _words(completion: object) -> str:
    try:
        return " ".join(answer_of(completion).text.split())
    except CabsError:  # it has no answer, which its result says
        return ""
