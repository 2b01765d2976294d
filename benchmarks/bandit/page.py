"""The stored figures of the bandit as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.bandit.data import Bandit, load
from benchmarks.bandit.play import READERS, mixed
from benchmarks.bandit.verdict import Means, above, above_silence, best
from benchmarks.tables import markdown

Figures = dict[str, Any]

TITLES = {"rules": "the rules", "overlooking": "the rules that overlook one fact in ten"}


def page(stored: Figures) -> str:
    """The policies under `tif`, and the verdict on every reward for both readers; nothing where it was never run."""
    if not stored:
        return ""
    verdicts = [f"Read by {TITLES[reader]}:\n\n{verdict_table(stored, reader)}" for reader in READERS]
    return "\n\n".join([policies_table(stored, "tif"), *verdicts])


def policies_table(stored: Figures, reward: str) -> str:
    """The mean reward of every policy: by kind of reference, by mix, and with overlooked facts."""
    bandit = load()
    head = ["policy", "writes", "findings", "none", *map(_percent, bandit.mixes)]
    head += [f"overlooked: {name}" for name in ("findings", "none")]
    clear, noisy = (stored["rewards"][reward][reader]["means"] for reader in READERS)
    rows = []
    for policy in bandit.policies:
        mine = clear[policy.name]
        numbers = [*mine, *(mixed(mine, share) for share in bandit.mixes), *noisy[policy.name]]
        rows.append([f"`{policy.name}`", policy.does, *(f"{number:.3f}" for number in numbers)])
    return markdown([head, ["---"] * len(head), *rows])


def verdict_table(stored: Figures, reader: str) -> str:
    """A row a reward: the best policy, the tricks that pay, and what is learnt, by mix where mixes differ."""
    bandit = load()
    head = ["reward", "best mean", "tricks without knowledge above silence", "tricks above their honest policy"]
    head += [f"learnt: {game.name}" for game in bandit.games]
    rows = []
    for name, read in stored["rewards"].items():
        means: Means = read[reader]["means"]
        rows.append([f"`{name}`", *_by_mean(means, bandit), *_learnt(read[reader]["learnt"], bandit)])
    return markdown([head, ["---"] * len(head), *rows])


def _by_mean(means: Means, bandit: Bandit) -> list[str]:
    blind = [above_silence(means, bandit, share, knowing=False) for share in bandit.mixes]
    paid = [above(means, bandit.tricks, share) for share in bandit.mixes]
    return [_one([best(means, share) for share in bandit.mixes], bandit), _each(blind, bandit), _each(paid, bandit)]


def _learnt(games: dict[str, Sequence[tuple[str, float]]], bandit: Bandit) -> list[str]:
    return [_one([leader for leader, _ in games[game.name]], bandit) for game in bandit.games]


def _one(names: Sequence[str], bandit: Bandit) -> str:
    """One name a mix: once where it is the same in all of them."""
    return _each([[name] for name in names], bandit)


def _each(found: Sequence[Sequence[str]], bandit: Bandit) -> str:
    """Names with the mixes that they hold in, where these are not all."""
    names = list(dict.fromkeys(name for here in found for name in here))
    cells = []
    for name in names:
        where = [_percent(share) for share, here in zip(bandit.mixes, found, strict=True) if name in here]
        cells.append(f"`{name}`" if len(where) == len(bandit.mixes) else f"`{name}` ({', '.join(where)})")
    return "; ".join(cells) or "none"


def _percent(share: float) -> str:
    return f"{share:.0%}"
