"""A report → its passages: sections, blocks (a line, a numbered or a labelled item) and sentences, with their places.

Only where a sentence begins and ends is decided here, and which ones can't be moved apart; by the study's own rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from cabs.studies.counterfactual.lexicon import Lexicon

NUMBERED = re.compile(r"(?:\d{1,2}[.)]|[-*•])[ \t]+")
LABEL = re.compile(r"[A-Z][A-Za-z0-9 /,&-]{1,40}:[ \t]+")
BREAK = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z0-9(\"?])")
INLINE = re.compile(r"(?<=[.;:])\s+(?=\d{1,2}[.)]\s+[A-Z])")
UNBROKEN = re.compile(r"\b(?:dr|no|vs|e\.g|i\.e|approx|fig|st|mr|mrs|ca|resp|\d|[A-Z])\.$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, text[start:end] with its stop. `glued`: it speaks of what the one before it says."""

    start: int
    end: int
    glued: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A line or an item. text[start:inner] is its number, text[inner:body] its label; then come its sentences."""

    start: int
    inner: int
    body: int
    sentences: tuple[Sentence, ...]

    @property
    def end(self) -> int:
        """Where its last sentence ends."""
        return self.sentences[-1].end if self.sentences else self.body


@dataclass(frozen=True, slots=True)
class Section:
    """A section, text[start:end] with its heading. `described`: it says what the study shows."""

    start: int
    end: int
    described: bool
    blocks: tuple[Block, ...]


def sections(text: str, lexicon: Lexicon) -> tuple[Section, ...]:
    """The sections of a report in their order; together they cover the whole text."""
    heads = list(_headings(text, lexicon))
    told = {plain for _, _, plain, described in heads if described}
    plainly = lexicon.words.sections.described[:2]
    first = not told.intersection(plainly)
    starts = [(0, 0, first), *((start, end, described) for start, end, _, described in heads)]
    found = []
    for at, (start, body, described) in enumerate(starts):
        end = starts[at + 1][0] if at + 1 < len(starts) else len(text)
        blocks = tuple(_blocks(text, body, end, lexicon)) if described else ()
        found.append(Section(start, end, described, blocks))
    return tuple(found)


def _headings(text: str, lexicon: Lexicon) -> Iterator[tuple[int, int, str, bool]]:
    known = lexicon.words.sections
    names = sorted({*known.described, *known.other}, key=len, reverse=True)
    for match in re.finditer(rf"(?i)\b({'|'.join(map(re.escape, names))})\b\s*(:|$)", text, re.MULTILINE):
        name, line = match[1], text.rfind("\n", 0, match.start()) + 1
        leads = not text[line : match.start()].strip()
        if (leads and (match[2] or text[line : match.end()].strip() == name)) or (match[2] and name.isupper()):
            yield match.start(), match.end(), name.lower(), name.lower() in known.described


def _blocks(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[Block]:
    for line in re.finditer(r"[^\n]+", text[start:end]):
        at = start + line.start()
        cuts = [at, *(at + m.end() for m in INLINE.finditer(line[0])), start + line.end()]
        for left, right in pairwise(cuts):
            yield from _items(text, left, right, lexicon)


def _items(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[Block]:
    """The blocks of one numbered item: a sentence with a label begins a new one."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    number = NUMBERED.match(text, start, end)
    inner = number.end() if number else start
    block = _block(text, start, inner, end)
    held: list[Sentence] = []
    for left, right in _spans(text, block[2], end):
        if held and LABEL.match(text, left, right):
            yield Block(*block, tuple(held))
            block, held = _block(text, left, left, end), []
            left = block[2]
        held.append(Sentence(left, right, bool(held) and _glued(text[left:right], lexicon)))
    if held:
        yield Block(*block, tuple(held))


def _block(text: str, start: int, inner: int, end: int) -> tuple[int, int, int]:
    label = LABEL.match(text, inner, end)
    return start, inner, label.end() if label else inner


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    left = start
    for match in BREAK.finditer(text, start, end):
        if match.end() < end and not UNBROKEN.search(text, left, match.start()):
            yield left, match.start()
            left = match.end()
    right = start + len(text[start:end].rstrip())
    if right > left:
        yield left, right


def _glued(sentence: str, lexicon: Lexicon) -> bool:
    words = f" {' '.join(re.findall(r'[a-z]+', sentence.lower()))} "
    glue = lexicon.words.glue
    return any(words.startswith(f" {w} ") for w in glue.starts) or any(f" {w} " in words for w in glue.contains)
