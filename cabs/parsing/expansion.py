"""A report that defines its own abbreviations → the same report with the long forms written out, and the way
back.

"Solitary fibrous tumor (SFT) ... the SFT measures 4 cm" is read as "solitary fibrous tumor ... the solitary
fibrous tumor measures 4 cm"; every position that the parser finds is then moved back to the original text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from cabs.values import Fact, Normal, ParsedReport, Span


class Abbreviation(NamedTuple):
    """A short form where it stands (characters `start` to `end` of the text) and its long form's words."""

    start: int
    end: int
    long_form: str


class _Piece(NamedTuple):
    """A stretch of the expanded text from `start` on, and the original characters that it stands for. A piece
    that was replaced maps as a whole."""

    start: int
    original: Span
    replaced: bool


class Expansion:
    """`text` is the report with its abbreviations written out; `original` leads back.

    The short form in a definition's brackets is left out together with them, so that the long form before it
    is not read twice. Overlapping abbreviations: the first one counts.
    """

    def __init__(self, text: str, abbreviations: Iterable[Abbreviation]) -> None:
        parts: list[str] = []
        self._pieces: list[_Piece] = []
        at = length = 0
        for start, end, long_form in sorted(_with_brackets(text, a) for a in abbreviations):
            if start < at:
                continue
            kept = text[at:start]
            self._pieces.append(_Piece(length, Span(at, start), replaced=False))
            self._pieces.append(_Piece(length + len(kept), Span(start, end), replaced=True))
            parts += kept, long_form
            length += len(kept) + len(long_form)
            at = end
        self._pieces.append(_Piece(length, Span(at, len(text)), replaced=False))
        self.text = "".join([*parts, text[at:]])
        self._starts = [piece.start for piece in self._pieces]

    def original(self, span: Span) -> Span:
        """The characters of the original text that `span` of the expanded text stands for, short forms
        whole."""
        start, end = self._at(span.start, last=False), self._at(span.end, last=True)
        return Span(start, max(start, end))

    def _at(self, position: int, *, last: bool) -> int:
        # An end belongs to the piece of the character before it.
        piece = self._pieces[max(0, bisect_right(self._starts, position - last) - 1)]
        if piece.replaced:
            return piece.original.end if last else piece.original.start
        return piece.original.start + position - piece.start

    def restored(self, report: ParsedReport) -> ParsedReport:
        """A report that was parsed from `text`, with every position in the original text.

        The words of places and attributes stay written out.
        """
        return replace(
            report,
            facts=tuple(self._fact(fact) for fact in report.facts),
            normal=tuple(Normal(n.organ, self.original(n.span)) for n in report.normal),
            issues=tuple(replace(i, span=self.original(i.span) if i.span else None) for i in report.issues),
        )

    def _fact(self, fact: Fact) -> Fact:
        evidence = tuple(self.original(span) for span in fact.evidence)
        return replace(fact, mention=self.original(fact.mention), evidence=evidence)


def _with_brackets(text: str, abbreviation: Abbreviation) -> Abbreviation:
    start, end, _ = abbreviation
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return Abbreviation(start - 1, end + 1, " ")
    return abbreviation
