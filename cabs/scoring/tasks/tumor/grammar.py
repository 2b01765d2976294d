"""The output of [E-MRL] → its parts: `<findings>…</findings><impression>…</impression>`, and perhaps
`<key_slice>k</key_slice>` and `<bbox>[x1, y1, x2, y2]</bbox>` anywhere in it.

Tolerant of case, blanks and text around tags; strict about what a slice and a box are. Nothing in a text raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from cabs.scoring.tasks.tumor.slices import UNSTATED, Slice, slice_of
from cabs.values import Section, Span

SECTIONS: tuple[Section, ...] = get_args(Section)


def _pair(name: str) -> re.Pattern[str]:
    # what stands inside never holds another opening, so that a flood of openings costs no more than its length
    inside = rf"(?:(?!<\s{{0,4}}{name}\s{{0,4}}>).)*?"
    return re.compile(rf"<\s{{0,4}}{name}\s{{0,4}}>({inside})<\s{{0,4}}/\s{{0,4}}{name}\s{{0,4}}>", re.I | re.S)


_SECTION = {name: _pair(name) for name in SECTIONS}
_ANY_SECTION = re.compile(rf"<\s{{0,4}}/?\s{{0,4}}(?:{'|'.join(SECTIONS)})\s{{0,4}}>", re.I)
_OPEN = {name: re.compile(rf"<\s{{0,4}}{name}\s{{0,4}}>", re.I) for name in ("key_slice", "bbox")}
_PAIR = {
    name: re.compile(rf"<\s{{0,4}}{name}\s{{0,4}}>([^<>]*)<\s{{0,4}}/\s{{0,4}}{name}\s{{0,4}}>", re.I) for name in _OPEN
}
_TAG = r"<\s{0,4}(key_slice|bbox)\s{0,4}>"
_ASIDE = re.compile(rf"(?:{_TAG}(?:[^<>]*<\s{{0,4}}/\s{{0,4}}\1\s{{0,4}}>)?\s*)+", re.I)
_BLANKS = re.compile(r"\s{3,}")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Box:
    """A bounding box: (x1, y1, x2, y2) in pixels with x1 < x2 and y1 < y2, or None and `reason` (both empty: no box).
    [E-MRL] neither rewards nor evaluates it; nor does CABS."""

    corners: tuple[float, float, float, float] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """`sections`: the text of each, slices and boxes taken out; where the output has no section tag at all,
    the whole text as findings. `tagged`: whether there was such a tag. `asides`: where in each section slices or boxes
    stood."""

    sections: Mapping[Section, str]
    tagged: bool
    asides: Mapping[Section, tuple[Span, ...]]
    key_slice: Slice
    bbox: Box


def output(text: str, first_slice: int = 0) -> Output:
    """The parts of an output. The first pair of a section's tags counts; a section without a pair is empty.

    >>> said = output("<findings>A mass.</findings> The key one is in image <key_slice>34</key_slice>.")
    >>> said.sections, said.key_slice.index, said.bbox.corners
    ({'findings': 'A mass.', 'impression': ''}, 34, None)
    """
    text = _squeezed(text)
    tagged = _ANY_SECTION.search(text) is not None
    found = _sections(text) if tagged else {SECTIONS[0]: text}
    blanked = {name: _blanked(part) for name, part in found.items()}
    return Output(
        {name: part for name, (part, _) in blanked.items()},
        tagged,
        {name: spans for name, (_, spans) in blanked.items()},
        _key_slice(text, first_slice),
        _box(text),
    )


def _sections(text: str) -> dict[Section, str]:
    matches = ((name, pattern.search(text)) for name, pattern in _SECTION.items())
    return {name: "" if match is None else match[1].strip() for name, match in matches}


def _blanked(text: str) -> tuple[str, tuple[Span, ...]]:
    """The text with one blank in place of each slice or box, and where these stand."""
    parts: list[str] = []
    spans: list[Span] = []
    length = at = 0
    for match in _ASIDE.finditer(text):
        parts += [text[at : match.start()], " "]
        length += match.start() - at
        spans.append(Span(length, length + 1))
        length, at = length + 1, match.end()
    return "".join([*parts, text[at:]]), tuple(spans)


def _squeezed(text: str) -> str:
    """Long runs of blanks as a blank or an empty line: no parser has to walk through what a policy may repeat."""
    return _BLANKS.sub(lambda match: "\n\n" if "\n" in match[0] else " ", text)


def _inside(text: str, name: str) -> tuple[str | None, str]:
    """What stands between the only pair of a tag, or None and why there is none ("" where there is no tag)."""
    opened, pairs = len(_OPEN[name].findall(text)), _PAIR[name].findall(text)
    if not opened:
        return None, ""
    if opened > 1:
        return None, f"there are {opened} of them"
    return (pairs[0].strip(), "") if pairs else (None, "its tag is not closed")


def _key_slice(text: str, first: int) -> Slice:
    inside, reason = _inside(text, "key_slice")
    if inside is None:
        return Slice(reason=reason) if reason else UNSTATED
    return slice_of(inside, first) if inside else Slice(reason="it is empty")


def _box(text: str) -> Box:
    inside, reason = _inside(text, "bbox")
    if inside is None:
        return Box(reason=reason)
    parts = [part.strip() for part in inside.strip("[]() \t\r\n").split(",")]
    if len(parts) != 4 or not all(map(_NUMBER.fullmatch, parts)):
        return Box(reason="four numbers of 0 or more expected")
    x1, y1, x2, y2 = map(float, parts)
    return Box((x1, y1, x2, y2)) if x1 < x2 and y1 < y2 else Box(reason="it has no area")
