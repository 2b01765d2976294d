"""Which policy wins, and which tricks pay, by mean and by what is learnt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from benchmarks.bandit.data import Bandit
from benchmarks.bandit.learn import learnt
from benchmarks.bandit.play import Played, mixed

Means: TypeAlias = Mapping[str, tuple[float, float]]
"""Policy → its mean over references with findings, and over those without."""

SLACK = 1e-6
"""What is no difference."""


def best(means: Means, share: float) -> str:
    """The policy with the greatest mean in a mix; the first of equals."""
    return max(means, key=lambda name: round(mixed(means[name], share), 6))


def above(means: Means, tricks: Mapping[str, str], share: float) -> list[str]:
    """Tricks whose mean in a mix is greater than that of the policy they are held against."""
    return [a for a, b in tricks.items() if mixed(means[a], share) > mixed(means[b], share) + SLACK]


def above_silence(means: Means, bandit: Bandit, share: float, *, knowing: bool) -> list[str]:
    """Tricks above silence: those that know something of the reference, or those that know nothing."""
    silent = bandit.honest(next(p for p in bandit.policies if p.knows == "nothing"))
    asked = {p.name: silent for p in bandit.policies if not p.honest and (p.knows != "nothing") == knowing}
    return above(means, asked, share)


def led(played: Played, chances: Mapping[str, float]) -> tuple[str, float]:
    """The policy that is learnt and its probability; policies that a reward never tells apart are one, by the first
    one's name."""
    together: dict[bytes, list[str]] = {}
    for name in chances:
        together.setdefault(played.values[played.policies.index(name)].tobytes(), []).append(name)
    groups = {names[0]: sum(chances[name] for name in names) for names in together.values()}
    leader = max(groups, key=lambda name: groups[name])
    return leader, groups[leader]


def games(played: Played, bandit: Bandit) -> dict[str, list[tuple[str, float]]]:
    """Game → what is learnt in each mix, with its probability."""
    found = {}
    for game in bandit.games:
        among = played.up_to(game.most_facts)
        found[game.name] = [led(among, learnt(among, game.players, share)) for share in bandit.mixes]
    return found
