"""One sentence → its tokens: known surface forms (longest match), measurements, and the words between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cabs.parsing.form import Form, Pattern
from cabs.parsing.grammar import word_class
from cabs.parsing.lexicon import Lexicon
from cabs.parsing.measure import lengths
from cabs.parsing.view import closed_up, lowered, matchable

ENTITY, STATE, PLACE, SIDE, ATTRIBUTE, SIZE, CUE = "E", "P", "L", "S", "A", "M", "Q"
_WORD_LENGTH = 5
"""Up to so many characters a sentence in capitals may be an abbreviation; longer ones only shout."""
_DIGIT = re.compile(r"[0-9]")
_MARKS = frozenset(".,:;()")
_WORD = re.compile(r"[^\W_](?:[\w'-]*\w)?|[^\w\s]")


@dataclass(slots=True, eq=False)
class Token:
    """A known form, a measurement or a word of a sentence; `start` and `end` count from the sentence's start.

    `kind` is one of the letters above, or the class of a plain word (see `grammar.word_class`).
    """

    kind: str
    start: int
    end: int
    text: str
    form: Form | None = None
    mm: tuple[float, ...] = ()
    pattern: tuple[str, str | None] | None = None

    @property
    def attributes(self) -> list[tuple[str, str | None]]:
        """(kind, value) of every attribute that the token can give."""
        if self.pattern:
            return [self.pattern]
        return list(self.form.attributes) if self.form else []

    @property
    def adjective(self) -> bool:
        """True for a place word that is an adjective and waits for its noun ("hilar")."""
        return self.form is not None and self.form.adjective


Known = tuple[int, int, "Form | Token"]
"""Start and end of what may become a token: a form, or a token of its own (a measurement, an attribute)."""


def _leftmost_longest(known: Known) -> tuple[int, int]:
    return known[0], -known[1]


def scan(sentence: str, lexicon: Lexicon, heading: str = "") -> list[Token]:
    """The tokens of a sentence in order, without overlap. The heading helps to tell what abbreviations mean."""
    shown, offsets = closed_up(sentence)
    low = lowered(shown)
    spans = _known(shown, low, lexicon, f"{heading.lower()} {low}" if heading else low)
    digits = _has_digit(low)
    if digits:
        spans += [(n.start, n.end, Token(SIZE, n.start, n.end, "", None, n.mm)) for n in lengths(low)]
    for pattern in lexicon.stating(low, digits):
        spans += _matches(pattern, low)
    tokens = _with_words(low, _longest(spans))
    if offsets:
        whole = lowered(sentence)
        for token in tokens:
            token.start, token.end = offsets[token.start], offsets[token.end - 1] + 1
            token.text = whole[token.start : token.end]
    return tokens


def _has_digit(low: str) -> bool:
    return _DIGIT.search(low) is not None if low.isascii() else any(map(str.isdigit, low))


def _matches(pattern: Pattern, low: str) -> list[Known]:
    kind = (pattern.kind, pattern.value)
    return [
        (m.start(), m.end(), Token(ATTRIBUTE, m.start(), m.end(), "", pattern=kind))
        for m in pattern.regex.finditer(low)
    ]


def _known(sentence: str, low: str, lexicon: Lexicon, around: str) -> list[Known]:
    flat, offsets = lexicon.misspellings.corrected(*matchable(low))
    mixed = not sentence.isupper() or len(sentence) < _WORD_LENGTH
    found: list[Known] = []
    blocks: list[tuple[int, int, tuple[str, ...]]] = []
    for start, stop, lower, upper in lexicon.found(flat):
        if offsets:
            start, stop = offsets[start], offsets[stop - 1] + 1
        form = upper if upper is not None and mixed and sentence[start:stop].isupper() else lower
        if form is not None:
            if form.blocks:
                blocks.append((start, stop, form.blocks))
            if form.readings:
                form = lexicon.meaning(form, around)
            found.append((start, stop, form))
    return [f for f in found if not _blocked(*f, blocks)] if blocks else found


def _blocked(start: int, end: int, form: Form | Token, blocks: list[tuple[int, int, tuple[str, ...]]]) -> bool:
    """True for a form that only blocks, and for one that stands in a phrase in which it doesn't mean its entity."""
    if isinstance(form, Token) or form.only_blocks:
        return True
    named = form.entities or form.predicates
    return bool(named) and any(a <= start and end <= b and set(named) <= set(ids) for a, b, ids in blocks)


def _kind(form: Form) -> str:
    """What the form is in the first place; a word of grammar stays one, whatever cue it is besides."""
    if form.entities:
        return ENTITY
    if form.predicates:
        return STATE
    if form.places:
        return PLACE
    if form.side:
        return SIDE
    if form.attributes:
        return ATTRIBUTE
    return CUE if (cls := word_class(form.text)) == "w" else cls


def _longest(spans: list[Known]) -> list[Token]:
    """Leftmost, then longest: what overlaps a chosen form is dropped. But a finding that starts within a place goes
    before it ("left chest tube" is a chest tube), and a place before a word of reference."""
    spans.sort(key=_leftmost_longest)
    kept: list[Token] = []
    reached = 0
    for start, end, what in spans:
        if start >= reached:
            kept.append(_token(start, end, what))
            reached = end
        elif end > reached and start > kept[-1].start:
            token = _token(start, end, what)
            if _goes_before(token, kept[-1]):
                yielded = kept.pop()
                inside = [s for s in spans if yielded.start <= s[0] and s[1] <= start]
                follows = not kept or yielded.start <= kept[-1].end + 1
                kept.extend(_longest(inside) or (_shortened(yielded, start) if follows else ()))
                kept.append(token)
                reached = end
    return kept


def _token(start: int, end: int, what: Form | Token) -> Token:
    """The token of a known form, made once it is chosen: most of those that overlap aren't."""
    return what if isinstance(what, Token) else Token(_kind(what), start, end, what.text, what)


def _shortened(place: Token, end: int) -> list[Token]:
    """A place that shares its noun with the finding behind it ("seventh" of "seventh rib fracture"), where the words
    in front mean nothing alone. It follows a known form: in "8th and 9th rib fractures" half a place would say less."""
    return [Token(PLACE, place.start, end, place.text, place.form)] if place.kind == PLACE else []


def _goes_before(token: Token, other: Token) -> bool:
    if token.kind == ENTITY:
        return other.kind in (PLACE, SIDE, ATTRIBUTE)
    return (
        token.kind == PLACE and other.kind == CUE and other.form is not None and other.form.cue("anaphora") is not None
    )


def _with_words(low: str, known: list[Token]) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    for token in known:
        if token.start - at > 1 or low[at : token.start] != " ":  # most known words are neighbours
            _words(low, at, token.start, tokens)
        token.text = low[token.start : token.end]
        tokens.append(token)
        at = token.end
    _words(low, at, len(low), tokens)
    return tokens


def _words(low: str, start: int, end: int, into: list[Token]) -> None:
    gap = low[start:end].strip()
    if not gap:
        return
    if gap.isalpha() or gap in _MARKS:  # most gaps hold one word or one mark, which costs less to see than to match
        start = low.index(gap, start)
        into.append(Token(word_class(gap), start, start + len(gap), gap))
        return
    for match in _WORD.finditer(low, start, end):
        word = match[0]
        into.append(Token(word_class(word), match.start(), match.end(), word))
