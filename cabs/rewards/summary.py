"""The results of many samples → what one watches while a model is trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, pstdev
from typing import Any

from cabs.errors import CabsError
from cabs.rewards.completion import answer_of
from cabs.rewards.result import RewardResult
from cabs.rewards.rollouts import Rollout

EVEN = 1e-12
"""Values that differ by less teach nothing."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The samples of one reward and one part (a training step, a system).

    - samples; `unscored`, `truncated`: shares of them, 0 to 1.
    - mean, spread: of the values; None where there is none.
    - dead: share of the groups with several samples whose values are all the same, which teach nothing; None without
      such groups.
    - repeated: share of the samples whose answer another sample of another group has too.
    - components: means over the samples that have a value.
    """

    part: str
    samples: int
    unscored: float
    truncated: float
    mean: float | None
    spread: float | None
    dead: float | None
    repeated: float
    components: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """The summary in JSON's own types."""
        return asdict(self) | {"components": dict(self.components)}


def summaries(rollouts: Sequence[Rollout], results: Sequence[RewardResult]) -> list[Summary]:
    """One summary a part, in the order in which the parts come."""
    rows: dict[str, list[tuple[Rollout, RewardResult]]] = {}
    for rollout, result in zip(rollouts, results, strict=True):
        rows.setdefault(rollout.part, []).append((rollout, result))
    return [_summary(part, found) for part, found in rows.items()]


def _summary(part: str, rows: Sequence[tuple[Rollout, RewardResult]]) -> Summary:
    results = [result for _, result in rows]
    values = [result.value for result in results if result.value is not None]
    scored = [result for result in results if result.value is not None]
    return Summary(
        part=part,
        samples=len(rows),
        unscored=1 - len(values) / len(rows),
        truncated=sum(result.status == "truncated" for result in results) / len(rows),
        mean=fmean(values) if values else None,
        spread=pstdev(values) if values else None,
        dead=_dead(rows),
        repeated=_repeated([rollout for rollout, _ in rows]),
        components={name: fmean(r.components[name] for r in scored) for name in results[0].components if scored},
    )


def _dead(rows: Sequence[tuple[Rollout, RewardResult]]) -> float | None:
    groups: dict[object, list[float]] = {}
    for rollout, result in rows:
        if result.value is not None:
            groups.setdefault(rollout.group, []).append(result.value)
    several = [values for values in groups.values() if len(values) > 1]
    return sum(max(v) - min(v) < EVEN for v in several) / len(several) if several else None


def _repeated(rollouts: Sequence[Rollout]) -> float:
    """One text for everybody: the first thing that a policy learns which has found a hole."""
    homes: dict[str, set[object]] = {}
    answers = [_words(rollout.example.completion) for rollout in rollouts]
    for rollout, answer in zip(rollouts, answers, strict=True):
        homes.setdefault(answer, set()).add(rollout.group)
    return sum(len(homes[answer]) > 1 for answer in answers) / len(answers)


def _words(completion: object) -> str:
    try:
        return " ".join(answer_of(completion).text.split())
    except CabsError:  # it has no answer, which its result says
        return ""
