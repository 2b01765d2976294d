"""What every reward gives to every policy for every case, by the rules and by a parser that overlooks facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.bandit.cases import Case, frequent
from benchmarks.bandit.data import Bandit
from benchmarks.bandit.noise import Overlooking, remembered
from benchmarks.bandit.policies import Writer, written
from cabs.errors import CabsError
from cabs.metrics.registered import METRICS
from cabs.rewards import Example, Reward, reward
from cabs.scoring.judge import Parser
from cabs.studies.probes.data import load as probes

Values: TypeAlias = npt.NDArray[np.float64]

READERS = ("rules", "overlooking")
"""Who reads the policies: the rules, or the rules that miss each fact with probability 0.1."""


@dataclass(frozen=True)
class Played:
    """`values[policy, case]`: what a reward gave. `facts[case]`: how many were to be found."""

    policies: tuple[str, ...]
    facts: npt.NDArray[np.int_]
    values: Values

    @property
    def normal(self) -> npt.NDArray[np.bool_]:
        """Whether nothing was to be found, by case."""
        return np.equal(self.facts, 0)

    def up_to(self, most: int) -> Played:
        """The cases with no more facts than these."""
        kept = self.facts <= most
        return Played(self.policies, self.facts[kept], self.values[:, kept])

    def means(self) -> dict[str, tuple[float, float]]:
        """Policy → its mean over references with findings, and over those without."""
        by_part = [self.values[:, ~self.normal].mean(axis=1), self.values[:, self.normal].mean(axis=1)]
        return {name: (float(a), float(n)) for name, a, n in zip(self.policies, *by_part, strict=True)}


def mixed(means: tuple[float, float], share: float) -> float:
    """The mean over a mix in which `share` of the references are without findings."""
    return (1.0 - share) * means[0] + share * means[1]


def texts(bandit: Bandit, cases: Sequence[Case]) -> list[dict[str, str]]:
    """Every completion for every case by the name of its policy, in the order of the data."""
    writer = Writer(bandit.words, probes()[1], frequent(cases))
    found = [written(writer, case) for case in cases]
    return [{policy.name: told[policy.name] for policy in bandit.policies} for told in found]


def reader(name: str, bandit: Bandit) -> Parser:
    """The parser of that name."""
    return Overlooking(bandit.words.opening) if name == "overlooking" else remembered


def made(name: str, read: Parser) -> Reward:
    """A reward on the scale from 0 to 1, completions read by their tags; a metric of words needs no parser."""
    if name.partition(":")[0] in METRICS.names:
        return reward(name, scale="unit", form="tags")
    return reward(name, scale="unit", parser=read, form="tags")


def play(used: Reward, cases: Sequence[Case], told: Sequence[Mapping[str, str]]) -> Played:
    """What a reward gives.

    Raises:
        CabsError: it leaves a completion without a value.
    """
    policies = tuple(told[0])
    examples = [Example(told[at][p], case.reference) for p in policies for at, case in enumerate(cases)]
    results = used.score_batch(examples, strict=True)
    values = [_value(result.value, used.name) for result in results]
    facts = np.array([case.facts for case in cases])
    return Played(policies, facts, np.array(values).reshape(len(policies), len(cases)))


def _value(value: float | None, name: str) -> float:
    if value is None:
        raise CabsError("a completion of the bandit has no value", place=f"reward {name!r}")
    return value
