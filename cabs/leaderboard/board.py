"""Systems on the same references → a leaderboard: order, groups, tests, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cabs.errors import SettingError
from cabs.leaderboard.comparable import check_comparable
from cabs.leaderboard.entrant import Entrant
from cabs.leaderboard.significance import Difference, differences, groups
from cabs.leaderboard.surface import USUAL, Surface, surface
from cabs.matching import Settings
from cabs.metrics import Metric, metrics
from cabs.metrics.intervals import Resampling
from cabs.registry import offer
from cabs.signature import Signature

RANKED_BY = "fc_f1"


@dataclass(frozen=True, slots=True)
class Framed:
    """What a benchmark adds to a board: its name and title, a description, where the references come from, its version
    and the log of its changes. "" or () where there is no benchmark."""

    name: str = ""
    title: str = "Leaderboard"
    description: str = ""
    home: str = ""
    licence: str = ""
    version: int = 0
    changes: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A system at its place. `rank`: 1 + the systems that are better, None where the metric is undefined; `group`: see
    `groups`. `to_above`, `to_best`: the tests against the upper neighbour and the best, None for the best."""

    entrant: Entrant
    rank: int | None
    group: int
    to_above: Difference | None
    to_best: Difference | None

    @property
    def name(self) -> str:
        """The system's name."""
        return self.entrant.name


@dataclass(frozen=True, slots=True)
class Board:
    """`standings` from the best to the worst; `metric` ranks them; `tests` as `differences` gives them; `reports`: ids
    that every system was asked about; `notes`: what a reader should know."""

    standings: tuple[Standing, ...]
    metric: Metric
    settings: Settings
    signature: Signature
    tests: tuple[Difference, ...]
    surface: Surface
    reports: int
    framed: Framed = field(default_factory=Framed)
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Every metric of facts by name, under the settings of the results."""
        return metrics(self.settings)


def board(
    entrants: Sequence[Entrant],
    rank_by: str = RANKED_BY,
    *,
    words: Sequence[str] | None = None,
    framed: Framed | None = None,
) -> Board:
    """The leaderboard of systems; the same systems in any order give the same board. `words`: metrics of words beside
    (None: the usual ones, as far as they are installed).

    Raises:
        InputError: the systems can't be compared, see `check_comparable`; SettingError: there is no such metric.
    """
    entrants = sorted(entrants, key=lambda entrant: entrant.name)
    check_comparable(entrants)
    signature = entrants[0].contender.signature
    settings = Settings.from_items(signature.items)
    known = metrics(settings)
    if rank_by not in known:
        raise SettingError(f"{rank_by!r} is no metric that ranks", place="--rank-by", hint=offer(rank_by, list(known)))
    metric = known[rank_by]
    ranked = sorted(entrants, key=lambda entrant: _place(entrant, metric))
    tests = differences([entrant.contender for entrant in ranked], rank_by)
    beside = surface(ranked, USUAL if words is None else words, resampling_of(signature), asked=words is not None)
    return Board(
        standings=_standings(ranked, metric, tests),
        metric=metric,
        settings=settings,
        signature=signature,
        tests=tests,
        surface=beside,
        reports=len(entrants[0].ids),
        framed=framed or Framed(),
        notes=(*notes_of(ranked), *beside.notes),
    )


def resampling_of(signature: Signature) -> Resampling:
    """How the intervals of results were made."""
    items = signature.items
    method, _, level = items.get("ci", "bca@0.95").partition("@")
    return Resampling(int(items.get("n_boot", 0)), float(level), method, int(items.get("seed", 0)))  # type: ignore[arg-type]


def _place(entrant: Entrant, metric: Metric) -> tuple[bool, float, str]:
    """Best first, undefined last, then by name."""
    value = entrant.result["scores"][metric.name]
    return value is None, 0.0 if value is None else -value if metric.higher else value, entrant.name


def _standings(ranked: Sequence[Entrant], metric: Metric, tests: Sequence[Difference]) -> tuple[Standing, ...]:
    values = [entrant.result["scores"][metric.name] for entrant in ranked]
    grouped = groups([entrant.name for entrant in ranked], tests)
    by_names = {(test.above, test.below): test for test in tests}
    found = []
    for at, entrant in enumerate(ranked):
        rank = None if values[at] is None else 1 + values.index(values[at])
        above = None if not at else by_names[ranked[at - 1].name, entrant.name]
        best = None if not at else by_names[ranked[0].name, entrant.name]
        found.append(Standing(entrant, rank, grouped[entrant.name], above, best))
    return tuple(found)


def notes_of(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """What the runs warn of, system by system."""
    return tuple(f"{entrant.name}: {message}" for entrant in entrants for message in entrant.result["warnings"])
