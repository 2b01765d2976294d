"""What a text says, read with the words of the world alone: nothing of CABS judges here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from benchmarks.divergence.scan import Finding
from benchmarks.divergence.world import World
from benchmarks.divergence.writing import concluded, denied, stated

_SENTENCE = re.compile(r"[^.]+\.?")
_TAG = re.compile(r"</?\w+>")


class Reading:
    """The words of a world, as a reader knows them. A name stands for its kind, the longest one first; what else a
    sentence says (region, side, measure) is said of every finding in it, and a word of denial denies what follows."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.names = {name: kind for kind, known in world.findings.items() for name in known.names}
        self.places = {place: region.id for region in world.regions for place in region.place}
        self.name, self.place = _any(self.names), _any(self.places)
        self.side = _any([region.side for region in world.regions if region.side])
        self.denying = _any(world.denying)
        self.sentences = _sentences(world)

    def findings(self, text: str) -> frozenset[Finding]:
        """What a text says is there, each finding once: one told without its region, or without its measure, is the one
        that is told with it."""
        said = [one for sentence in sentences(text) for one in self._stated(sentence)]
        return frozenset(_united(said))

    def _stated(self, sentence: str) -> list[Finding]:
        told = sentence.lower()
        cue = self.denying.search(told)
        free = told if cue is None else told[: cue.start()]
        found = []
        for match in self.name.finditer(free):
            rest = told[: match.start()] + told[match.end() :]
            kind = self.names[match[0]]
            found.append(Finding(kind, self._region(kind, rest), self._measure(kind, rest)))
        return found

    def _region(self, kind: str, told: str) -> str | None:
        place = self.place.search(told)
        if place is not None:
            return self.places[place[0]]
        known = [self.world.region(id) for id in self.world.findings[kind].regions]
        side = self.side.search(told)
        fit = [region.id for region in known if len(known) == 1 or (side is not None and region.side == side[0])]
        return fit[0] if len(fit) == 1 else None

    def _measure(self, kind: str, told: str) -> str | None:
        return next((one for one in self.world.scale(kind) if re.search(rf"\b{one}\b", told)), None)

    def strange(self, text: str) -> tuple[int, int]:
        """Sentences that nobody in this world would write, and all of them."""
        told = sentences(text)
        return sum(sentence not in self.sentences for sentence in told), len(told)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without its tags."""
    return [part.strip() for part in _SENTENCE.findall(without_tags(text)) if part.strip()]


def without_tags(text: str) -> str:
    """A text without its tags.

    >>> without_tags("<findings>Normal heart.</findings>")
    'Normal heart.'
    """
    return _TAG.sub(" ", text).strip()


def _any(words: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, ordered))})\b")


def _united(said: list[Finding]) -> list[Finding]:
    """Findings told more than once as one. A finding of no region is one of its kind with a region, if there is any."""
    placed = {(f.kind, f.region) for f in said if f.region is not None}
    kinds = {kind for kind, _ in placed}
    keys = sorted(placed) + sorted({(f.kind, None) for f in said if f.kind not in kinds})
    return [Finding(kind, region, _measure_of(kind, region, said)) for kind, region in keys]


def _measure_of(kind: str, region: str | None, said: list[Finding]) -> str | None:
    """The first measure that is told of it."""
    measures = (f.measure for f in said if (f.kind, f.region) == (kind, region))
    return next((measure for measure in measures if measure is not None), None)


def _sentences(world: World) -> frozenset[str]:
    """Every sentence that a report may hold."""
    said = [s for organ in world.organs.values() for s in organ.normal] + list(world.impressions["normal"])
    for kind, known in world.findings.items():
        said += denied(world, kind)
        for region in known.regions:
            for measure in world.scale(kind) or (None,):
                finding = Finding(kind, region, measure)
                said += [*stated(world, finding), *concluded(world, finding)]
    return frozenset(said)
