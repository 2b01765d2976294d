"""How rewards and what they make of rollouts look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from cabs.cli.render import empty_table
from cabs.rewards.reward import Reward
from cabs.rewards.summary import Summary


def rewards_table(rewards: Sequence[Reward]) -> Table:
    """A row a reward."""
    table = empty_table("reward", "range", "components", left={0, 2})
    table.columns[-1].no_wrap = False
    for reward in rewards:
        low, high = ("" if bound is None else f"{bound:g}" for bound in reward.range)
        table.add_row(reward.name, f"{low} to {high}", ", ".join(reward.components))
    return table


def summary_table(reward: Reward, parts: Sequence[Summary]) -> Table:
    """A row a quantity, a column a part: the value first, what it is made of last."""
    table = empty_table(reward.name, *(part.part or "all" for part in parts))
    table.add_row("samples", *(str(part.samples) for part in parts))
    for name in ("mean", "spread", "dead", "repeated", "truncated", "unscored"):
        table.add_row(name, *(_number(getattr(part, name)) for part in parts))
    for name in reward.components:
        table.add_row(f"  {name}", *(_number(part.components.get(name)) for part in parts))
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
