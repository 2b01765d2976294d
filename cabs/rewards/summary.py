"""The results of many samples → what one watches while a model is trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, pstdev
from typing import Any

from cabs.rewards.groups import dead_groups, repeated
from cabs.rewards.result import RewardResult
from cabs.rewards.rollouts import Rollout


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
    groups = [rollout.group for rollout, _ in rows]
    values = [result.value for result in results if result.value is not None]
    scored = [result for result in results if result.value is not None]
    return Summary(
        part=part,
        samples=len(rows),
        unscored=1 - len(values) / len(rows),
        truncated=sum(result.status == "truncated" for result in results) / len(rows),
        mean=fmean(values) if values else None,
        spread=pstdev(values) if values else None,
        dead=dead_groups(groups, [result.value for result in results]),
        repeated=repeated(groups, [rollout.example.completion for rollout, _ in rows]),
        components={name: fmean(r.components[name] for r in scored) for name in results[0].components if scored},
    )
