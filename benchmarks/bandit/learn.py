"""Which policy a learner ends with: a softmax over canned policies, trained as GRPO trains.

Each step draws a reference, draws a group of policies from the softmax, standardises their rewards within the group and
follows the gradient of their log probabilities. Some seeds at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.bandit.play import Played, Values


@dataclass(frozen=True)
class Schedule:
    """How it learns. `group`: completions a reference; `rate`: of learning; `seeds`: learners that run side by side."""

    group: int = 8
    steps: int = 1500
    rate: float = 0.4
    seeds: int = 8
    spread: float = 1e-4


def learnt(played: Played, players: Sequence[str], share: float, plan: Schedule | None = None) -> dict[str, float]:
    """Policy → its probability at the end, the mean over seeds; `share` of the references are without findings."""
    plan = plan or Schedule()
    names = tuple(players) or played.policies
    values = played.values[[played.policies.index(name) for name in names]]
    rng = np.random.default_rng(0)
    cases = _drawn(played, share, plan, rng)
    logits = np.zeros((plan.seeds, len(names)))
    for step in range(plan.steps):
        logits += plan.rate * _gradient(logits, values[:, cases[step]].T, plan, rng)
    return dict(zip(names, map(float, _softmax(logits).mean(axis=0)), strict=True))


def _drawn(played: Played, share: float, plan: Schedule, rng: np.random.Generator) -> Values:
    """The number of a case for each step and seed, normal ones by their share."""
    shape = (plan.steps, plan.seeds)
    normal, other = (rng.choice(np.flatnonzero(played.normal == kind), shape) for kind in (True, False))
    return np.where(rng.random(shape) < share, normal, other)


def _gradient(logits: Values, rewards: Values, plan: Schedule, rng: np.random.Generator) -> Values:
    """The mean over a group of advantage × gradient of the log probability; all arrays are (seeds, policies)."""
    chance = _softmax(logits)
    bounds = np.cumsum(chance, axis=1)[:, None, :]
    group = (rng.random((plan.seeds, plan.group, 1)) > bounds[..., :-1]).sum(axis=2)
    earned = np.take_along_axis(rewards, group, axis=1)
    centred = earned - earned.mean(axis=1, keepdims=True)
    advantage = centred / (earned.std(axis=1, keepdims=True) + plan.spread)
    chosen = np.eye(logits.shape[1])[group]
    gradient: Values = (advantage[..., None] * (chosen - chance[:, None, :])).mean(axis=1)
    return gradient


def _softmax(logits: Values) -> Values:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Values = raised / raised.sum(axis=1, keepdims=True)
    return chances
