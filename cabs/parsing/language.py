"""Whether a report is in English, the only language that the rules read."""

from __future__ import annotations

import re
from collections.abc import Container

from cabs.parsing.grammar import word_class

_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST = 2
"""Fewer foreign words may be a name."""
_LONG = 3
"""Shorter words alone are parts of names ("de novo de Quervain")."""


def is_foreign(text: str, foreign: Container[str]) -> bool:
    """True for a text that holds two or more of the `foreign` words, and more of them than English function words."""
    words = _WORD.findall(text.lower())
    others = [word for word in words if word in foreign]
    if len(others) < _FEWEST or len(max(others, key=len)) < _LONG:
        return False
    return len(others) > sum(word_class(word) != "w" for word in words)
