"""Results of a batch → the means that are plotted, always under the same keys; and the flags of one result."""

from __future__ import annotations

from collections.abc import Sequence

from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward

FLAGS = ("unscored", "unscorable", "truncated", "error")
"""unscored: no value, whatever the reason; the others: the status of that name."""


def flags(result: RewardResult) -> dict[str, float]:
    """1 or 0 under each of `FLAGS`."""
    return {"unscored": float(result.value is None)} | {name: float(result.status == name) for name in FLAGS[1:]}


def means(reward: Reward, results: Sequence[RewardResult]) -> dict[str, float]:
    """`mean` of the values and means of the components over the results that have a value; `FLAGS` as shares of all.

    The keys and their order depend on the reward alone, the numbers are finite: 0 where nothing has a value.
    """
    scored = [(result.value, result.components) for result in results if result.value is not None]
    marked = [flags(result) for result in results]
    return {
        "mean": _mean([value for value, _ in scored]),
        **{name: _mean([parts[name] for _, parts in scored]) for name in reward.components},
        **{name: _mean([one[name] for one in marked]) for name in FLAGS},
    }


def _mean(numbers: Sequence[float]) -> float:
    return float(sum(numbers)) / len(numbers) if numbers else 0.0
