"""What is there, drawn by a seed, and the tokens that a scan shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from benchmarks.divergence.world import World


class Finding(NamedTuple):
    """What is there, or what a report says is there. None: the report does not say, or there is none."""

    kind: str
    region: str | None
    measure: str | None


@dataclass(frozen=True)
class Scan:
    """`truth`: what is there. `tokens`: what is seen of it, among signs of nothing and noise."""

    truth: frozenset[Finding]
    tokens: str


def draw(world: World, rng: Random) -> Scan:
    """A scan."""
    truth = _truth(world, rng)
    seen = [(f.region, _sign(world, f, "finding", rng)) for f in sorted(truth) if rng.random() >= world.shares.unseen]
    ghosts = _ghosts(world, truth, rng)
    seen += [(f.region, _sign(world, f, "ghost", rng)) for f in ghosts]
    rng.shuffle(seen)
    return Scan(truth, _laid_out(world, seen, rng))


def _truth(world: World, rng: Random) -> frozenset[Finding]:
    shares = world.shares
    if rng.random() < shares.normal:
        return frozenset()
    number = 1 + rng.choices(range(len(shares.findings)), shares.findings)[0]
    places: set[tuple[str, str]] = set()
    while len(places) < number:
        places.add(_somewhere(world, rng))
    return frozenset(Finding(*place, _measure(world, place[0], rng)) for place in sorted(places))


def _somewhere(world: World, rng: Random) -> tuple[str, str]:
    kind = rng.choice(list(world.findings))
    return kind, rng.choice(world.findings[kind].regions)


def _measure(world: World, kind: str, rng: Random) -> str | None:
    scale = world.scale(kind)
    return rng.choice(scale) if scale else None


def _ghosts(world: World, truth: frozenset[Finding], rng: Random) -> list[Finding]:
    """Signs of nothing: as many as coin tosses allow, twice the mean at most every second time."""
    taken = {(finding.kind, finding.region) for finding in truth}
    number = sum(rng.random() < world.shares.ghosts / 4 for _ in range(4))
    drawn = [_somewhere(world, rng) for _ in range(number)]
    return [Finding(*place, _measure(world, place[0], rng)) for place in drawn if place not in taken]


def _sign(world: World, finding: Finding, of: str, rng: Random) -> str:
    signs = world.findings[finding.kind].signs
    strength = world.strength[of]  # type: ignore[index]
    told = [rng.choices(list(signs), list(signs.values()))[0], f"w{rng.choices(range(len(strength)), strength)[0]}"]
    scale = world.scale(finding.kind)
    if finding.measure is not None:
        told.append(f"m{_blurred(scale.index(finding.measure), len(scale), world, rng)}")
    return " ".join(told)


def _blurred(at: int, steps: int, world: World, rng: Random) -> int:
    moved = at + rng.choice((-1, 1)) if rng.random() < world.shares.jitter else at
    return min(max(moved, 0), steps - 1)


def _laid_out(world: World, seen: Sequence[tuple[str | None, str]], rng: Random) -> str:
    """Region by region, those that show something, with noise between."""
    told: list[str] = []
    for region in world.regions:
        signs = [sign for where, sign in seen if where == region.id]
        told += [region.id, *signs] if signs else []
        told += [rng.choice(world.noise)] if rng.random() < 0.2 else []
    return " ".join(told) or world.noise[0]
