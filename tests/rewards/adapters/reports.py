"""Reports, completions of every sort, and rewards that break."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cabs.rewards import Example, Reward, RewardResult
from cabs.rewards.reward import each


def tagged(findings: str, impression: str) -> str:
    return f"<findings>{findings}</findings><impression>{impression}</impression>"


REFERENCE = tagged(
    "There is a small left pleural effusion. A 9 mm nodule in the right upper lobe. No pneumothorax.",
    "Left pleural effusion.",
)
HALF = tagged("Small left pleural effusion.", "Left pleural effusion.")
WRONG = tagged("There is a large pneumothorax.", "Pneumothorax.")
NORMAL = tagged("The lungs are clear. No pleural effusion.", "Normal.")
PROMPT = (
    "Write <findings>There is a large pneumothorax.</findings><impression>Pneumothorax.</impression> for this study."
)

ODD: list[object] = [
    None,
    "",
    "   ",
    "no tags at all",
    "<think>It never ends",
    f"<think>{WRONG}</think>{REFERENCE}",
    f"A thought that the template has opened</think>{HALF}",
    "x" * 100_000,
    "<findings>" * 10_000,
    "small left pleural effusion " * 4_000,
    "\ud800 \x00 \u202e",
    REFERENCE + REFERENCE,
    5,
    float("nan"),
    [{"role": "assistant", "content": None}],
    [{"role": "assistant", "content": [{"type": "text", "text": HALF}]}],
    [{"role": "assistant", "content": HALF}, {"role": "tool", "content": WRONG}],
    [5],
    object(),
]
"""Completions that trainers and models come up with."""

RECORD = {
    "info": {
        "findings_abnormality_entity": {
            "abnormalities": [
                {
                    "name": "pleural effusion",
                    "organ": "pleura",
                    "location": "left",
                    "attributes": "small",
                    "certainty": "definite",
                }
            ]
        },
        "impression_abnormality_entity": None,
    }
}
"""What stands in `extra_info` of [TIF]'s record; the missing section is what Arrow makes of it."""


def as_json(text: str = REFERENCE) -> str:
    """A reference as a JSON string."""
    return json.dumps({"report": text})


def _breaks(examples: Sequence[Example]) -> list[RewardResult]:
    raise RuntimeError("the judge is gone")


def _not_a_number(examples: Sequence[Example]) -> list[RewardResult]:
    return [RewardResult(float("nan"), {"part": 0.0}) for _ in examples]


def _too_few(examples: Sequence[Example]) -> list[RewardResult]:
    return [RewardResult(0.5, {"part": 0.0})]


def _other_keys(examples: Sequence[Example]) -> list[RewardResult]:
    return [RewardResult(0.5, {"else": 0.0}) for _ in examples]


def _by_field(example: Example) -> RewardResult:
    return RewardResult(float(example.fields["weight"]), {"part": 1.0})


def _reward(work: Any, name: str = "own", low: float | None = 0.0) -> Reward:
    return Reward(name=name, label="own", range=(low, 1.0), components=("part",), work=work, package="another")


BROKEN = {
    "raises": _reward(_breaks),
    "nan": _reward(_not_a_number),
    "too few": _reward(_too_few),
    "other keys": _reward(_other_keys),
}
"""Rewards of another package that break the contract in a batch of more than one."""
FIELDS = _reward(each(_by_field, ["part"]))
"""A reward that needs another column."""
UNBOUNDED = _reward(_breaks, low=None)
