"""A reward and its options → the name under which a trainer logs it: stable, and another one for other options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cabs.registry import spelled_name
from cabs.rewards.reward import Reward
from cabs.scoring.judge import parser_name

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")


def name_of(reward: str | Reward, settings: Mapping[str, Any]) -> str:
    """The reward with the options of its name and the `settings` beside it, in alphabetical order.

    Letters, digits, `_`, `-` and `.` alone, which every tracker takes; any other sign as its code.

    >>> name_of("tif:gamma=0", {"scale": "unit"}), name_of("tif", {"gamma": 0})
    ('tif.gamma-0.scale-unit', 'tif.gamma-0')

    Raises:
        SettingError: the options in the name can't be understood.
    """
    spelled = reward.name if isinstance(reward, Reward) else reward
    base, written = spelled_name(spelled, "reward")
    chosen = {**written, **settings}
    return ".".join([safe(base), *(f"{safe(key)}-{safe(_text(chosen[key]))}" for key in sorted(chosen))])


def safe(text: str) -> str:
    """The text with every sign that a tracker may refuse as its code: `a=b` as `a_3d_b`."""
    return _UNSAFE.sub(lambda sign: f"_{ord(sign[0]):x}_", text)


def _text(value: Any) -> str:
    if hasattr(value, "content_hash"):
        return str(value.content_hash)[:12]
    return parser_name(value) if callable(value) else str(value)
