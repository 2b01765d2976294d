"""The reward of TIF-GRPO as its authors released it: facts in the reference's order, sums instead of shares.

Source: arXiv 2605.20277 and `reward/medical_report_abnormality.py` of github.com/ZJU4HealthCare/TIF-GRPO.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from cabs.rewards.coefficients import checked
from cabs.rewards.judgement import SectionJudgement
from cabs.rewards.tags import SECTIONS
from cabs.values import Section


@dataclass(frozen=True, slots=True)
class TifPaper:
    """The coefficients of [TIF] and their released values.

    alpha: running cost of misses; gamma: control effort, the cost of false positives; omega: mean agreement at the end;
    beta: for saying anything at all; format: for keeping the form; free_characters and length_scale: the length
    from which a report pays, and how slowly.
    """

    alpha: float = 1.0
    gamma: float = 1.0
    omega: float = 0.2
    beta: float = 0.05
    epsilon: float = 1e-8
    format: float = 0.1
    free_characters: int = 1600
    length_scale: float = 5000.0

    def __post_init__(self) -> None:
        checked(self, positive=("epsilon", "length_scale"))

    @property
    def range(self) -> tuple[float, float]:
        """0 to 2.35 with the released values: 2.25 for facts, 2 for normal reports, and the form."""
        return 0.0, self.format + max(2.0, self.alpha + self.gamma + self.omega + self.beta)

    def section(self, judged: SectionJudgement) -> float:
        """R of one section: 0 for silence about K > 0 facts, 2 for silence about none."""
        earned = [verdict.alignment for verdict in judged.verdicts]
        false, facts = judged.false_positives, len(earned)
        stated = judged.hits + false
        ratio = false / (stated + self.epsilon)
        if not facts:
            return 2.0 - 2.0 * ratio**2
        running = sum((1.0 - total / k) ** 2 for k, total in enumerate(accumulate(earned), 1)) / facts
        control = self.gamma * (1.0 - ratio**2) + self.beta if stated else 0.0
        return self.alpha * (1.0 - running) + control + self.omega * sum(earned) / facts

    def report(self, sections: Mapping[Section, float], keeps_form: bool, characters: int) -> float:
        """The reward of a report: `sections` holds R of each; `characters` are those inside the sections."""
        whole = self.format * keeps_form + sum(sections.values()) / len(SECTIONS)
        return whole * self.length(characters)

    def length(self, characters: int) -> float:
        """The factor of the length, 1 up to `free_characters`, then falling towards 0."""
        return 1.0 / (1.0 + max(characters - self.free_characters, 0) / self.length_scale)
