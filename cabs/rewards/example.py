"""What a trainer hands over for one sample: what the model wrote, what it is held against, and what came with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cabs.rewards.judgement import Judgement


@dataclass(frozen=True, slots=True)
class Example:
    """One completion with its reference.

    - completion: text, or messages (see `cabs.rewards.completion`). None is a sample without an answer.
    - reference: text with or without section tags, facts (`ParsedReport`, `QuotedReport`, or JSON as `cabs parse` or
      the gold format has them), a record of [TIF] with its entities, or any of these as a JSON string, which is the one
      form that every framework hands on unchanged.
    - truncated: whether the generation limit cut the completion; None where the trainer does not tell.
    - judgement: the verdict of another judge, which then stands in for the rules.
    - fields: the other columns of the sample; nobody writes into them.
    """

    completion: object
    reference: object = ""
    truncated: bool | None = None
    judgement: Judgement | Mapping[str, Any] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
