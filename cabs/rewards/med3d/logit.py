"""The consistency reward as released: the logit of a reward model, cut into six values.

The model (RM-Mistral-7B) is not run here: its logits come from a column of the sample, or from a function of yours.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from cabs.errors import InputError
from cabs.io.record import Record, kind_of

CUTS = (0.0, 0.2, 0.5, 1.0, 1.6)
VALUES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""A logit below the first cut earns the first value, one at or above the last cut the last (`_discretize_rm_score`; its
docstring speaks of four levels, its code has these six)."""

Message: TypeAlias = Mapping[str, str]
RewardModel: TypeAlias = Callable[[Sequence[Message]], float]
"""A conversation (see `conversation`) → the reward model's logit."""


def quantised(logit: float) -> float:
    """The value of a logit, any finite number: 0, 0.2, 0.4, 0.6, 0.8 or 1.

    >>> [quantised(s) for s in (-0.1, 0.0, 0.2, 0.5, 1.0, 1.6)]
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    return VALUES[bisect_right(CUTS, logit)]


def conversation(question: str, completion: str, right: str) -> list[Message]:
    """What the released code shows its reward model: the question with its prompt, the completion, and the right
    option's text in a last turn of the user."""
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": completion},
        {"role": "user", "content": f"The correct answer is {right}"},
    ]


def logit_in(record: Record, name: str) -> float:
    """The logit in a column of the sample.

    Raises:
        InputError: there is none, or it is no finite number.
    """
    if name not in record.fields:
        hint = "consistency=logit takes the reward model's logit from it; name another with logit=NAME"
        raise InputError(f"field {name!r} is missing", place=record.place, hint=hint)
    return finite(record.fields[name], f"field {name!r}", record.place)


def finite(value: object, what: str, place: str) -> float:
    """A number as it is; one of numpy or torch too.

    Raises:
        InputError: it is no finite number.
    """
    held = value.item() if hasattr(value, "item") else value
    if isinstance(held, bool) or not isinstance(held, int | float) or not math.isfinite(held):
        shown = held if isinstance(held, float) else kind_of(held)
        raise InputError(f"{what} is {shown}, a finite number expected", place=place)
    return float(held)
