"""A stretch of text → its sentences and list items, each under the heading that it stands below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_ABBREVIATION = re.compile(
    r"(?:\b(?:approx|dr|drs|mr|mrs|prof|vs|e\.g|i\.e|etc|fig|no|ca|max|min|incl|resp|ant|post|lat|st|cf)|(?<![#'])\b[a-z])\.$"
)
_BREAK = re.compile(
    r"(?<![.!?。！？])[.!?。！？]++(?=[\s\"')\]<]|[*_]+(?:\s|$)|$)|(?<=[A-Za-z]{3})[.!?](?=[A-Za-z]{2})|\r\n|\n|\r"
)
_BULLET = re.compile(r"\s*(?:(?:\*+\s+(?=\*))?[-*•·–>]+|\(?\d{1,2}[.)](?!\d)|[a-z][.)])\s*")
_HEADING = re.compile(r"(?P<words>[A-Za-z][^:.;!?\n]{1,60}?)\s*(?::(?!\d)|\s[-–—]\s(?!\s*\d))\s*")
LONGEST_SENTENCE = 1200
"""A sentence of more characters is read in parts, so that the time for a report grows with its length."""
_LONG_WORD = 7
"""So many letters before a mark are a word that no abbreviation is as long as."""
_WRAPPED = 50
"""A line of fewer characters was ended on purpose, not wrapped."""
_REACH = 1000
"""Characters of a line that are looked at, from its end."""


class Sentence(NamedTuple):
    """Characters of the text that make a sentence, its bullet and heading left out, and the heading's words."""

    start: int
    end: int
    heading: str


def sentences(text: str, start: int, end: int, is_heading: Callable[[str, str], bool]) -> list[Sentence]:
    """The sentences of `text[start:end]` in order.

    `is_heading` says whether words before a colon head the words behind it (`""` where they stand alone). A heading
    on a line of its own holds until the next heading; one with text behind it until the end of its paragraph, or the
    next heading.
    """
    found: list[Sentence] = []
    heading, alone = "", False
    for line_start, from_, to in _pieces(text, start, end):
        if line_start and heading and not alone and _blank_before(text, from_):
            heading = ""
        from_ = _after_bullet(text, from_, to)
        match = _HEADING.match(text, from_, to) if _marked(text[from_:to]) else None
        if match and is_heading(match["words"], text[match.end() : to]):
            heading, from_ = match["words"], match.end()
            alone = from_ >= to
        if text[from_:to].strip(" .;,:-*_\t\r\n"):
            found.append(Sentence(from_, to, heading))
    return found


def _marked(piece: str) -> bool:
    """True for a piece with one of the marks that a heading ends with: most have none, which costs less to see."""
    return ":" in piece or "-" in piece or "\u2013" in piece or "\u2014" in piece


def starts_item(text: str) -> bool:
    """True for words that open with the number or mark of a list item."""
    return _BULLET.match(text) is not None


def _pieces(text: str, start: int, end: int) -> list[tuple[bool, int, int]]:
    """(stands at a line's start, start, end) of every sentence."""
    pieces: list[tuple[bool, int, int]] = []
    at, fresh = start, True
    cased = not (text[start:end].isupper() or text[start:end].islower())
    for match in _BREAK.finditer(text, start, end):
        newline = match[0][0] in "\r\n"
        if not _breaks(text, at, match, newline, cased):
            continue
        pieces.append((fresh, at, match.start() if newline else match.end()))
        at, fresh = match.end(), newline
    pieces.append((fresh, at, end))
    parts: list[tuple[bool, int, int]] = []
    for fresh, a, b in pieces:
        first, last = _trimmed(text, a, b)
        if last - first > LONGEST_SENTENCE:
            parts.extend(_bounded(text, fresh, first, last))
        elif first < last:
            parts.append((fresh, first, last))
    return parts


def _bounded(text: str, fresh: bool, start: int, end: int) -> Iterator[tuple[bool, int, int]]:
    """The piece, cut at commas, else at spaces, where no mark ends it for too long (a list that a model repeats): the
    work on a sentence grows faster than its length."""
    while end - start > LONGEST_SENTENCE:
        window = text[start : start + LONGEST_SENTENCE]
        cut = max(window.rfind(",", LONGEST_SENTENCE // 2), window.rfind(";", LONGEST_SENTENCE // 2)) + 1
        cut = cut or window.rfind(" ", LONGEST_SENTENCE // 2) + 1 or LONGEST_SENTENCE
        if text[start : start + cut].strip():
            yield (fresh, *_trimmed(text, start, start + cut))
        start, fresh = start + cut, False
    if text[start:end].strip():
        yield (fresh, *_trimmed(text, start, end))


def _breaks(text: str, at: int, match: re.Match[str], newline: bool, cased: bool) -> bool:
    if newline:
        return not wraps(text, match.start(), match.end(), cased)
    if match.start() - at >= _LONG_WORD and text[match.start() - _LONG_WORD : match.start()].isalpha():
        return True  # neither a number nor an abbreviation
    before = text[max(at, match.start() - 8) : match.end()].lower()
    number = text[max(at, match.start() - 8) : match.start()].strip() if match.start() - at < 8 else ""
    if match[0] == "." and number.isdigit() and len(number) < 3:
        return False  # the number of a list item
    if match[0] != "." or not _ABBREVIATION.search(before):
        return True
    following = text[match.end() : match.end() + 3].lstrip(" ")
    return not following or following[0] in "\r\n"


def wraps(text: str, line_end: int, line_start: int, cased: bool) -> bool:
    """True where a line's end only wraps a sentence: no mark ends the line, and the next line goes on in lower case
    (or, in a text of one case, its first word would not have fitted)."""
    following = text[line_start : line_start + 200].lstrip(" \t")
    if not following[:1].isalpha() or (cased and not following[0].islower()):
        return False
    reach = max(0, line_end - _REACH)
    begin = max(text.rfind("\n", reach, line_end) + 1, text.rfind("\r", reach, line_end) + 1, reach)
    line = " ".join(text[begin:line_end].split())
    if len(line) < _WRAPPED or line[-1] in ".:;":
        return False
    if cased:
        return True
    next_line = text[line_start : line_start + 200].split("\n", 1)[0]
    word = following.split(None, 1)[0]
    return ":" not in next_line and len(line) + 1 + len(word) > max(len(next_line.rstrip()), _WRAPPED + 10)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _after_bullet(text: str, start: int, end: int) -> int:
    match = _BULLET.match(text, start, end)
    return match.end() if match and match.end() < end else start


def _blank_before(text: str, at: int) -> bool:
    before = text[max(0, at - 64) : at]
    return before[len(before.rstrip()) :].count("\n") > 1
