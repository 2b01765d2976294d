"""Whether a report is in English, the only language that the rules read."""

from __future__ import annotations

import re
from collections.abc import Container

from cabs.parsing.grammar import word_class

_WORD = re.compile(r"[^\W\d_]{2,}")
_APART = {code: " " for code in range(128) if not chr(code).isalpha()}
_FEWEST = 2
"""Fewer foreign words may be a name."""
_LONG = 3
"""Shorter words alone are parts of names ("de novo de Quervain")."""


def is_foreign(text: str, foreign: Container[str]) -> bool:
    """True for a text that holds two or more of the `foreign` words, and more of them than English function words."""
    low = text.lower()
    words = low.translate(_APART).split() if low.isascii() else _WORD.findall(low)  # the first is much the faster
    others = [word for word in words if word in foreign and len(word) > 1]
    if len(others) < _FEWEST or len(max(others, key=len)) < _LONG:
        return False
    return len(others) > sum(len(word) > 1 and word_class(word) != "w" for word in words)
