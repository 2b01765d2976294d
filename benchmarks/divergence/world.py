"""The world of world.yaml: what there is to see, how it looks in a scan, and the words that reports have for it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

HERE = Path(__file__).parent


class Record(BaseModel):
    """A part of the data; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Shares(Record):
    """How scans and reports are drawn."""

    normal: float
    findings: tuple[float, ...]
    unseen: float
    ghosts: float
    jitter: float
    impression: int
    told: float
    usual: float
    denied: float


class Region(Record):
    """A part of a scan. `place`: what reports call it, where they name it."""

    id: str
    side: Literal["right", "left"] | None = None
    place: tuple[str, ...] = ()


class Organ(Record):
    """How reports say that nothing is wrong with it."""

    normal: tuple[str, ...]


class Kind(Record):
    """A kind of finding. `signs`: tokens that it leaves, by weight. `mass`: its names take no article. `sided`: reports
    tell its side in place of the region's name."""

    organ: str
    regions: tuple[str, ...]
    signs: dict[str, int]
    names: tuple[str, ...]
    measure: str | None = None
    mass: bool = False
    sided: bool = False


class World(Record):
    """The whole file."""

    shares: Shares
    strength: dict[Literal["finding", "ghost"], tuple[float, ...]]
    noise: tuple[str, ...]
    measures: dict[str, tuple[str, ...]]
    regions: tuple[Region, ...]
    organs: dict[str, Organ]
    findings: dict[str, Kind]
    frames: dict[str, tuple[str, ...]]
    impressions: dict[Literal["placed", "sided", "alone", "normal"], tuple[str, ...]]
    denials: tuple[str, ...]
    denying: tuple[str, ...]

    def region(self, id: str) -> Region:
        """A region by its id."""
        return next(region for region in self.regions if region.id == id)

    def scale(self, kind: str) -> tuple[str, ...]:
        """The measures that a kind of finding may have, the smallest first; none where it has none."""
        measure = self.findings[kind].measure
        return () if measure is None else self.measures[measure]


@lru_cache(maxsize=1)
def load() -> World:
    """The world, checked."""
    return World.model_validate(yaml.safe_load(HERE.joinpath("world.yaml").read_text(encoding="utf-8")))
