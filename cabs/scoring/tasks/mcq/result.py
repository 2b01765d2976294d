"""What a run over questions gives: counts and shares with intervals, system by system, whole and by category."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cabs.metrics.estimates import Estimate
from cabs.scoring.tasks.mcq.choice import Choice
from cabs.scoring.tasks.mcq.item import Item
from cabs.signature import Signature

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An item, the option that its prediction names, and whether that is the right one."""

    item: Item
    choice: Choice

    @property
    def correct(self) -> bool:
        """Whether the right option is named, and no other."""
        return self.choice.label == self.item.question.answer


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts of some items and their shares.

    - accuracy: correct / items; a prediction that names no single option is wrong. answered: the share of items whose
      prediction names one.
    - chance: the accuracy that drawing an option of each question gives on average (mean of 1 / options).
    """

    items: int
    answered: int
    correct: int
    chance: float
    accuracy: Estimate
    answer_rate: Estimate

    def to_json(self) -> dict[str, Any]:
        """The scores in JSON's own types."""
        counts = {name: getattr(self, name) for name in ("items", "answered", "correct", "chance")}
        return {**counts, "accuracy": self.accuracy.to_json(), "answer_rate": self.answer_rate.to_json()}


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system: all its items, and those of each category ("" where the record names none), in order of appearance.
    `why`: how many predictions name no single option, by reason."""

    system: str | None
    overall: Scores
    categories: Mapping[str, Scores]
    why: Mapping[str, int]

    @property
    def label(self) -> str:
        """The system's name, or "all" where the input names none."""
        return "all" if self.system is None else self.system

    def to_json(self) -> dict[str, Any]:
        """The system in JSON's own types."""
        categories = {name: scores.to_json() for name, scores in self.categories.items()}
        whole = {"system": self.system, "overall": self.overall.to_json()}
        return {**whole, "categories": categories, "unanswered": dict(self.why)}


@dataclass(frozen=True, slots=True)
class McqResult:
    """The result of a run; `answers` are the items in the order of the input, `open` the questions without options that
    were left out."""

    signature: Signature
    systems: tuple[SystemScores, ...]
    answers: tuple[Answered, ...]
    open: int

    def to_json(self) -> dict[str, Any]:
        """The result without its items, in JSON's own types."""
        return {
            "schema_version": SCHEMA_VERSION,
            "task": "mcq",
            "signature": str(self.signature),
            "open_questions": self.open,
            "systems": [system.to_json() for system in self.systems],
        }
