"""The reward that CABS recommends: [TIF]'s idea in [0, 1], free of the facts' order, in which no cheap trick pays.

Source: the specification of CABS, "Rewards"; each departure from [TIF] and what it is measured to do stands in
cabs/rewards/README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from cabs.errors import SettingError
from cabs.rewards.coefficients import checked
from cabs.rewards.judgement import SectionJudgement, Verdict
from cabs.values import Section

UNCERTAIN = 0.5
"""Share of its agreement that a hit keeps where the certainty differs."""


@dataclass(frozen=True, slots=True)
class Tif:
    """The coefficients. alpha: running cost of misses (0: none); gamma: control effort, the cost of false positives (0:
    none); omega: mean agreement; beta: for a first true fact; delta: for staying silent rather than wrong; power: how
    the cost of false positives grows; rho: what a restated fact costs of a false one.

    free_characters, margin and length_scale: a completion is as long as it likes up to the greater of `free_characters`
    and `margin` times the reference's characters; beyond, each `length_scale` characters count as much as the whole.
    """

    alpha: float = 1.0
    gamma: float = 1.0
    omega: float = 0.2
    beta: float = 0.05
    delta: float = 0.15
    power: float = 1.5
    rho: float = 0.1
    free_characters: int = 1600
    margin: float = 1.2
    length_scale: float = 5000.0

    def __post_init__(self) -> None:
        checked(self, positive=("power", "length_scale"))
        if not self.alpha + self.omega + self.beta + self.delta:
            raise SettingError("alpha, omega, beta and delta are all 0", place="Tif", hint="one of them pays for facts")

    @property
    def range(self) -> tuple[float, float]:
        """0 to 1, whatever the coefficients."""
        return 0.0, 1.0

    def section(self, judged: SectionJudgement) -> float:
        """R of one section: 1 for a perfect or cleanly normal one, 0 for an unread one with nothing to say."""
        earned = [agreement(verdict) for verdict in judged.verdicts]
        total = fsum(earned)
        false = self.false(judged)
        burden: float = self.gamma * (false / (1.0 + total)) ** self.power
        return self._value(earned, judged.read) / (1.0 + burden)

    def false(self, judged: SectionJudgement) -> float:
        """F: what is stated and wrong. A hit that agrees in nothing is one, and so is one that is denied as well."""
        empty = sum(verdict.hit and agreement(verdict) == 0.0 for verdict in judged.verdicts)
        return judged.false_positives + empty + self.rho * judged.restated

    def _value(self, earned: list[float], read: bool) -> float:
        """V: what the true facts are worth, in [0, 1]."""
        if not earned:
            return float(read)
        mean = fsum(earned) / len(earned)
        first = self.beta * any(earned)
        weights = self.alpha + self.omega + self.beta + self.delta
        return (self.alpha * running(earned) + self.omega * mean + first + self.delta) / weights

    def report(self, sections: Mapping[Section, float], keeps_form: bool, characters: int, reference: int) -> float:
        """The reward of a report; 0 for a lost form. `characters` are those of the whole answer, `reference` those of
        the reference; both 0 or more."""
        if not keeps_form or not sections:
            return 0.0
        return fsum(sections.values()) / len(sections) * self.length(characters, reference)

    def length(self, characters: int, reference: int) -> float:
        """The factor of the length, 1 as long as it is free, then falling towards 0, never below."""
        free = max(float(self.free_characters), self.margin * reference)
        return 1.0 / (1.0 + max(characters - free, 0.0) / self.length_scale)


def agreement(verdict: Verdict) -> float:
    """r of one fact: [TIF]'s, halved where the certainty differs, nothing where the prediction denies it as well."""
    if verdict.contradicted:
        return 0.0
    return verdict.alignment * (1.0 if verdict.certainty else UNCERTAIN)


def running(earned: list[float]) -> float:
    """J: [TIF]'s integral over the facts, its mean over all orders in which they may come; in [0, 1].

    1 - (1 - mean)² - variance (H_K - 1) / (K - 1), with H_K the harmonic number; `earned` has at least one item.
    """
    facts = len(earned)
    mean = fsum(earned) / facts
    if facts == 1:
        return 1.0 - (1.0 - mean) ** 2
    variance = fsum((r - mean) ** 2 for r in earned) / facts
    harmonic = fsum(1.0 / k for k in range(1, facts + 1))
    return 1.0 - (1.0 - mean) ** 2 - variance * (harmonic - 1.0) / (facts - 1)
