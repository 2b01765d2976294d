"""Section tags: `<findings>…</findings><impression>…</impression>` → the sections, and whether the form is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from cabs.values import Section

SECTIONS: tuple[Section, ...] = get_args(Section)
_ANY = re.compile("|".join(f"</?{name}>" for name in SECTIONS))
_ORDER = [tag for name in SECTIONS for tag in (f"<{name}>", f"</{name}>")]
_FIRST = {name: re.compile(rf"<{name}>(.*?)</{name}>", re.DOTALL) for name in SECTIONS}


def tagged(text: str) -> Mapping[Section, str]:
    """The text inside the first pair of each tag, "" where there is no such pair."""
    found = ((name, _FIRST[name].search(text)) for name in SECTIONS)
    return {name: "" if match is None else match[1].strip() for name, match in found}


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
