"""What is there → a report in varied prose: every choice of words is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random

from benchmarks.divergence.scan import Finding
from benchmarks.divergence.world import World

_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


def report(world: World, truth: frozenset[Finding], rng: Random) -> str:
    """A report of all that is there, with the tags that rewards of reports ask for."""
    told = " ".join(_findings(world, truth, rng))
    return f"<findings>{told}</findings><impression>{' '.join(_impression(world, truth, rng))}</impression>"


def _findings(world: World, truth: frozenset[Finding], rng: Random) -> Iterator[str]:
    for name, organ in world.organs.items():
        here = sorted(finding for finding in truth if world.findings[finding.kind].organ == name)
        for finding in here:
            yield rng.choice(list(stated(world, finding)))
        if not here and rng.random() < world.shares.told:
            yield _normal(world, organ.normal, rng)
        if here:
            yield from _denied(world, name, {finding.kind for finding in here}, rng)


def _normal(world: World, sentences: tuple[str, ...], rng: Random) -> str:
    """What is normal is said in set words, as radiologists do: most often in the first ones."""
    return sentences[0] if rng.random() < world.shares.usual else rng.choice(sentences)


def _denied(world: World, organ: str, there: set[str], rng: Random) -> Iterator[str]:
    for kind, known in world.findings.items():
        if known.organ == organ and kind not in there and rng.random() < world.shares.denied:
            yield rng.choice(list(denied(world, kind)))


def _impression(world: World, truth: frozenset[Finding], rng: Random) -> list[str]:
    if not truth:
        return [_normal(world, world.impressions["normal"], rng)]
    ranked = sorted(truth, key=lambda finding: (list(world.findings).index(finding.kind), finding))
    return [rng.choice(list(concluded(world, finding))) for finding in ranked[: world.shares.impression]]


def stated(world: World, finding: Finding) -> Iterator[str]:
    """Every sentence of findings that states it."""
    kind = world.findings[finding.kind]
    where = "sided" if kind.sided else "placed" if world.region(str(finding.region)).place else ""
    yield from _filled(world, finding, world.frames[" ".join(filter(None, (where, kind.measure)))])


def concluded(world: World, finding: Finding) -> Iterator[str]:
    """Every sentence of an impression that states it."""
    placed = "placed" if world.region(str(finding.region)).place else "alone"
    where = "sided" if world.findings[finding.kind].sided else placed
    yield from _filled(world, finding, world.impressions[where])  # type: ignore[index]


def denied(world: World, kind: str) -> Iterator[str]:
    """Every sentence that denies findings of a kind."""
    for frame, name in product(world.denials, world.findings[kind].names):
        yield _sentence(frame.format(name=name))


def _filled(world: World, finding: Finding, frames: tuple[str, ...]) -> Iterator[str]:
    kind, region = world.findings[finding.kind], world.region(str(finding.region))
    article = "" if kind.mass else "a"
    for frame, name, place in product(frames, kind.names, region.place or ("",)):
        yield _sentence(frame.format(a=article, name=name, place=place, side=region.side, measure=finding.measure))


def _sentence(text: str) -> str:
    spaced = " ".join(text.split())
    return _ARTICLE.sub(r"\1n ", spaced[:1].upper() + spaced[1:])
