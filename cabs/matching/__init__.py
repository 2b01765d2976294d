"""Matching: two sets of facts → one alignment, every disagreement named."""

from cabs.matching.align import Matcher, align
from cabs.matching.alignment import (
    AlignedPair,
    Alignment,
    CanonicalReport,
    Contradiction,
    Disagreement,
    ErrorName,
)
from cabs.matching.settings import KINDS, Settings

__all__ = [
    "KINDS",
    "AlignedPair",
    "Alignment",
    "CanonicalReport",
    "Contradiction",
    "Disagreement",
    "ErrorName",
    "Matcher",
    "Settings",
    "align",
]
