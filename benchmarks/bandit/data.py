"""The bandit's data beside this file: policies, games, mixes, rewards, references and words."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

HERE = Path(__file__).parent

Knowledge = Literal["all", "half", "one", "nothing"]


class Record(BaseModel):
    """A part of the data; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Policy(Record):
    """What a policy knows and what it does with it."""

    name: str
    knows: Knowledge
    does: str
    honest: bool = False


class Game(Record):
    """Policies that a learner chooses among; everybody where none is named. `most_facts`: of the references."""

    name: str
    players: tuple[str, ...]
    most_facts: int = 1000


class Source(Record):
    """A file of reports below benchmarks/, and the most that are taken of it."""

    file: str
    most: int


class Words(Record):
    """The words that policies write."""

    opening: str
    silent: str
    says: str
    possible: str
    possibly: str
    supposing: str
    denies: str
    padding: str
    padded_to: int


class Bandit(Record):
    """The whole file."""

    policies: tuple[Policy, ...]
    games: tuple[Game, ...]
    mixes: tuple[float, ...]
    rewards: tuple[str, ...]
    longest: int
    references: tuple[Source, ...]
    words: Words

    def honest(self, policy: Policy) -> str:
        """The policy that says what this one knows and no more."""
        return next(p.name for p in self.policies if p.honest and p.knows == policy.knows)

    @property
    def tricks(self) -> dict[str, str]:
        """Policies that are not honest, each with the honest one of the same knowledge."""
        return {p.name: self.honest(p) for p in self.policies if not p.honest}


@lru_cache(maxsize=1)
def load() -> Bandit:
    """The data, checked."""
    return Bandit.model_validate(yaml.safe_load(HERE.joinpath("policies.yaml").read_text(encoding="utf-8")))
