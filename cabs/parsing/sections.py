"""Where the findings and the impression of a report stand: headings → stretches of text with a role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cabs.ontology import Ontology
from cabs.parsing.sentences import wraps
from cabs.parsing.view import lowered

_MARK = re.compile(r"[:>\]】](?!\d)[: ]*")
_WORD_START = re.compile(r"(?<![\w-])\S")
_ENDS = " .-"
"""What may stand behind a heading on a line of its own."""
_SENTENCE = re.compile(r"[^\n]*?[.!?](?=\s+[A-Z])")
_LONGEST = 60
_TITLE = 160
"""A first line of more characters is no title."""
_STOPS = tuple(".!?;:")
_BRACKETS = ("<", "[", "【")
_OPENERS = frozenset(("", "\n", ".", ";", "!", "?", ")", ">", *_BRACKETS))


class Stretch(NamedTuple):
    """Characters of a report under one role: "findings", "impression" or "ignored"."""

    role: str
    start: int
    end: int


class _Heading(NamedTuple):
    role: str
    start: int
    end: int
    brief: bool = False


class SectionFinder:
    """Splits reports by the headings of an ontology (`sections.yaml`)."""

    def __init__(self, ontology: Ontology) -> None:
        self._roles = {lowered(h).strip(): rule.role for rule in ontology.section_rules for h in rule.headings}
        self._brief = {lowered(h).strip() for rule in ontology.section_rules if rule.brief for h in rule.headings}
        names = _either(self._roles)
        self._alone = re.compile(rf"(?m)^[ ]*(?:<\s*|\(?\d{{1,2}}[.)]\s+)?(?P<name>{names})[ ]*(?:[-.][ ]*)?$")
        closing = _either(h for h, role in self._roles.items() if role == "impression")
        self._bare = re.compile(rf"[ \t]*(?=[A-Z])(?P<name>(?i:{closing}))[ ]+(?:-[ ]*)?(?=[A-Z\d])")
        self._last_words = frozenset(h.split()[-1].rstrip(_ENDS) for h in self._roles if h)
        self._last_letters = frozenset(h[-3:] for h in self._roles)
        exams = [form for rule in ontology.rules if rule.cls == "exam" for form in rule.forms]
        words = "|".join(re.escape(form) for form in exams) or r"(?!)"
        self._exam = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        self._closing = re.compile(rf"<[ ]*/[ ]*(?:{names})[ ]*>")

    def stretches(self, text: str) -> list[Stretch]:
        """The stretches of a report in order; together they cover it but for its headings.

        A first line that names an examination is a title. Text before the first heading is findings, unless the report
        has a findings heading of its own. Where it has none, and below that heading, an ignored note ends with its
        paragraph.
        """
        headings = self._headings(text)
        titled = any(h.role == "findings" for h in headings)
        first = headings[0].start if headings else len(text)
        opening = self._title_end(text, first)
        cut = [Stretch("ignored", 0, opening), Stretch("ignored" if titled else "findings", opening, first)]
        last = ""
        for heading, following in zip(headings, [*headings[1:], None][: len(headings)], strict=True):
            end = following.start if following else len(text)
            cut.extend(_section(text, heading, end, titled and last != "findings"))
            last = heading.role if heading.role != "ignored" else last
        return [s for s in cut if text[s.start : s.end].strip()]

    def _title_end(self, text: str, first: int) -> int:
        """Where the title ends, if the first line is one and ends before the `first` heading; otherwise 0."""
        start = len(text) - len(text.lstrip())
        end = text.find("\n", start, first)
        line = text[start:end].rstrip(" \r")
        if end < 0 or len(line) > _TITLE or line[-1:] in _STOPS or not text[end:].strip():
            return 0
        return end + 1 if self._exam.search(line) else 0

    def _headings(self, text: str) -> list[_Heading]:
        low = self._closing.sub(lambda m: " " * len(m[0]), lowered(text, keep_lines=True))
        found: dict[int, _Heading] = {}
        if any(map(self._holds_heading, low.split("\n"))):
            found = {m.start("name"): self._heading(m["name"], m.start(), m.end()) for m in self._alone.finditer(low)}
        for bare in filter(None, (self._bare.match(text, at) for at in _lines(text))):
            found.setdefault(bare.start("name"), _Heading("impression", bare.start(), bare.end()))
        for mark in _MARK.finditer(low):
            reach = max(0, mark.start() - _LONGEST)
            window = max(low.rfind("\n", reach, mark.start()) + 1, reach)
            at = self._before_mark(low, window, mark.start())
            if at is not None and _opens(text, low, at):
                start = at - (at > 0 and low.startswith(_BRACKETS, at - 1))
                found[at] = self._heading(low[at : mark.start()], start, mark.end())
        return [found[at] for at in sorted(found)]

    def _holds_heading(self, line: str) -> bool:
        """True for a line with nothing but a heading. Most do not even end with the last word of one, which costs less
        to see than to search."""
        words = line.rstrip(_ENDS).rpartition(" ")[2].split()
        return bool(words) and words[-1].lstrip("<") in self._last_words and self._alone.match(line) is not None

    def _before_mark(self, low: str, start: int, end: int) -> int | None:
        """Where the longest heading starts that stands right before a mark at `end`, at a word's start; None for
        none."""
        last = low[start:end].rstrip(" ")[-3:]
        if self._last_letters.isdisjoint((last, last[-2:], last[-1:])):
            return None  # most marks end no heading
        starts = (word.start() for word in _WORD_START.finditer(low, start, end))
        return next((at for at in starts if " ".join(filter(None, low[at:end].split(" "))) in self._roles), None)

    def _heading(self, words: str, start: int, end: int) -> _Heading:
        name = " ".join(words.split())
        return _Heading(self._roles[name], start, end, name in self._brief)


def _lines(text: str) -> Iterator[int]:
    """Where the lines of a text start."""
    yield 0
    at = 0
    while at := text.find("\n", at) + 1:
        yield at


def _either(headings: Iterable[str]) -> str:
    """A pattern of all headings, the longest first, with any spacing between their words."""
    ordered = sorted(headings, key=lambda h: (-len(h), h))
    return "|".join("[ ]+".join(map(re.escape, h.split())) for h in ordered) or r"(?!)"


def _opens(text: str, low: str, at: int) -> bool:
    """True where a heading can start: at a line's start or behind a mark, or anywhere with a capital."""
    before = low[max(0, at - 8) : at].rstrip(" ")
    return before[-1:] in _OPENERS or before[-2:-1].isdigit() or text[at].isupper()


def _section(text: str, heading: _Heading, end: int, whole: bool) -> list[Stretch]:
    """The stretches of a section; `whole`: an ignored one holds nothing that is read. A brief one that would leave
    nothing to read is one sentence."""
    if heading.role != "ignored" or whole:
        return [Stretch(heading.role, heading.end, end)]
    stop = _note_end(text, heading.end, end)
    if heading.brief and stop == end and (sentence := _SENTENCE.match(text, heading.end, stop)) is not None:
        stop = sentence.end()
    return [Stretch("ignored", heading.end, stop), Stretch("findings", stop, end)]


def _note_end(text: str, start: int, end: int) -> int:
    """Where an ignored note ends in a report without findings heading: with its line, or the lines it wraps over; if
    it starts on a line of its own, at the next blank line."""
    cased = not (text[start:end].isupper() or text[start:end].islower())
    first = end - len(text[start:end].lstrip())
    for match in re.finditer(r"\r?\n", text[start:end]):
        line_end, line_start = start + match.start(), start + match.end()
        if first < line_end and not wraps(text, line_end, line_start, cased):
            return line_start
    return end
