"""Measurements: lengths of a text in millimetres, axis by axis."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"\d{1,3}(?:[.,]\d{1,2})?"
_UNIT = r"\s*+(?:-\s*+)?(?:mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?)"
_CROSS = r"(?:\s*\([a-z]{2,3}\))?\s*(?:x|by)\s*"
_LENGTH = re.compile(
    rf"(?<![\w.,])(?:(?<!between )(?P<earlier>{_NUMBER})\s*(?:and|&)\s*)?(?P<first>{_NUMBER})(?P<unit1>{_UNIT})?"
    rf"(?:{_CROSS}(?P<second>{_NUMBER})(?P<unit2>{_UNIT})?(?:{_CROSS}(?P<third>{_NUMBER})(?:\s*\([a-z]{{2,3}}\))?(?P<unit3>{_UNIT})?)?"
    rf"|\s*(?:-|to)\s*(?P<upper>{_NUMBER})(?P<unit4>{_UNIT}))?(?![\w/])"
)


class Length(NamedTuple):
    """A measured length: its place in the sentence and its axes in mm, largest first."""

    start: int
    end: int
    mm: tuple[float, ...]


def lengths(low: str) -> list[Length]:
    """All lengths of a lower-case sentence; of a range ("4-6 mm") the upper end counts."""
    if not ("mm" in low or "cm" in low or "imet" in low):  # no unit
        return []
    return [length for match in _LENGTH.finditer(low) for length in _lengths(match)]


def _lengths(match: re.Match[str]) -> list[Length]:
    unit = match["unit4"] or match["unit3"] or match["unit2"] or match["unit1"]
    if unit is None:
        return []
    scale = 10.0 if "c" in unit else 1.0
    told = (match["upper"],) if match["upper"] else match.group("first", "second", "third")
    axes = sorted([_mm(number, scale) for number in told if number], reverse=True)
    found = [Length(match.start("first"), match.end(), tuple(axes))]
    if match["earlier"]:  # "5 and 7 mm" are two lengths
        found.insert(0, Length(match.start("earlier"), match.end("earlier"), (_mm(match["earlier"], scale),)))
    return [length for length in found if length.mm[0] > 0]


def _mm(number: str, scale: float) -> float:
    return round(float(number.replace(",", ".")) * scale, 4)
