"""The plan of plan.yaml: which rewards, which seeds, how large."""

from __future__ import annotations

from typing import Any, Literal

import yaml

from benchmarks.divergence.world import HERE, Record

Keys = dict[str, Any]
Part = Literal["sft", "train", "eval"]


class Plan(Record):
    """The whole file. `rewards`: label → name; the first one makes the cold start that all of its seed begin with."""

    rewards: dict[str, str]
    seeds: tuple[int, ...]
    rows: dict[Part, int]
    model: Keys
    sft: Keys
    trainer: Keys
    evaluation: Keys

    @property
    def first(self) -> str:
        """The label of the reward that makes the cold starts."""
        return next(iter(self.rewards))


def load(*, quick: bool = False, everything: bool = False) -> Plan:
    """The plan, checked: its small version, or with the further rewards."""
    content = yaml.safe_load(HERE.joinpath("plan.yaml").read_text(encoding="utf-8"))
    smaller, more = content.pop("quick"), content.pop("more")
    if everything:
        content["rewards"] |= more
    if quick:
        labels = smaller.pop("labels")
        content["rewards"] = {label: content["rewards"][label] for label in labels}
        content |= {name: _over(content[name], value) for name, value in smaller.items()}
    return Plan.model_validate(content)


def _over(value: Any, smaller: Any) -> Any:
    return {**value, **smaller} if isinstance(value, dict) and isinstance(smaller, dict) else smaller
