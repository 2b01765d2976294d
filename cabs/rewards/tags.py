"""Section tags: `<findings>…</findings><impression>…</impression>` → the sections, and whether the form is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from cabs.values import Section

SECTIONS: tuple[Section, ...] = get_args(Section)
_ANY = re.compile("|".join(f"</?{name}>" for name in SECTIONS))
_ORDER = [tag for name in SECTIONS for tag in (f"<{name}>", f"</{name}>")]


def tagged(text: str) -> Mapping[Section, str]:
    """The text inside the first pair of each tag, "" where there is no such pair."""
    return {name: _between(text, f"<{name}>", f"</{name}>") for name in SECTIONS}


def _between(text: str, opening: str, closing: str) -> str:
    """Found part by part: a pattern would look for the end anew from each opening that has none."""
    after = text.partition(opening)[2]
    inside, ended, _ = after.partition(closing)
    return inside.strip() if ended else ""


def has_tags(text: str) -> bool:
    """Whether a section tag stands anywhere in the text."""
    return _ANY.search(text) is not None


def keeps_form(text: str) -> bool:
    """Exactly one of each tag, in order: nothing doubled, nested or left open.

    >>> keeps_form("<findings>a</findings> <impression>b</impression>"), keeps_form("<findings>a</findings>")
    (True, False)
    """
    return _ANY.findall(text) == _ORDER


def keeps_paper_form(text: str) -> bool:
    """The check of [TIF]: it starts with the first tag, ends with the last, and has each pair in order; other tags and
    text in between pass (`format_reward` of github.com/ZJU4HealthCare/TIF-GRPO)."""
    stripped = text.strip()
    at = 0
    for tag in _ORDER:
        found = stripped.find(tag, at)
        if found < 0:
            return False
        at = found + len(tag)
    return stripped.startswith(_ORDER[0]) and stripped.endswith(_ORDER[-1])


def without_tags(text: str) -> str:
    """The words alone, for metrics that compare words."""
    return _ANY.sub("\n", text).strip()
