"""One sentence → the phrases in it that the parser's lexicon leaves unexplained.

A phrase is a maximal run of words that no mention, place, attribute, cue or function word covers. English noun
phrases end with their noun, so what stands behind the run tells its role: nothing, then its last word is a noun
(or, behind a copula, a predicate); a known noun, then the run only qualifies that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cabs.parsing.scan import ATTRIBUTE, CUE, ENTITY, PLACE, SIDE, SIZE, STATE, Token
from cabs.studies.coverage.words import COPULAS, carries_content, ends_phrase, is_adverb

Role = Literal["noun", "modifier", "predicate"]

_PARTS = (ENTITY, STATE, PLACE, SIDE, ATTRIBUTE)
"""Known tokens that can stand in a noun phrase."""
_NOUNS = (ENTITY, STATE, PLACE, ATTRIBUTE)
_WORDS = re.compile(r"[^\W\d_](?:[\w'-]*\w)?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Unexplained words: characters [start, end) of the sentence, their role, and the characters [first, last) of
    the noun phrase around them with its known words."""

    start: int
    end: int
    role: Role
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SentenceCoverage:
    """How much of a sentence is explained: its content words, those among them that the lexicon covers, and the
    phrases that it doesn't. Words behind a cue that makes the rest of the sentence advice are not read and don't
    count."""

    content: int
    explained: int
    phrases: tuple[Phrase, ...]


def sentence_coverage(tokens: Sequence[Token]) -> SentenceCoverage:
    """The coverage of a sentence, given as its tokens. The empty case: nothing to explain, (0, 0, ())."""
    read = _read(tokens)
    explained = sum(_content(token) for token in read if token.kind != "w")
    unexplained = sum(carries_content(token.text) for token in read if token.kind == "w")
    return SentenceCoverage(explained + unexplained, explained, tuple(_phrases(read)))


def _read(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens up to a cue that turns the rest of the sentence, or all of it, into advice or talk."""
    for at, token in enumerate(tokens):
        cue = token.form.cue("recommendation") if token.form is not None else None
        if cue is not None and cue.reach == "sentence":
            return tokens[:at] if cue.direction == "forward" else ()
    return tokens


def _content(token: Token) -> int:
    return sum(carries_content(word) for word in _WORDS.findall(token.text))


def _phrases(tokens: Sequence[Token]) -> list[Phrase]:
    found: list[Phrase] = []
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and _inside(tokens[end]):
            end += 1
        first, last = _trimmed(tokens, at, end)
        if any(carries_content(token.text) for token in tokens[first:last]):
            found.append(_phrase(tokens, first, last))
        at = max(end, at + 1)
    return found


def _inside(token: Token) -> bool:
    return token.kind == "w" and not ends_phrase(token.text)


def _trimmed(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """The run without a participle at its end that only leads on ("abutting the wall")."""
    leads = last < len(tokens) and tokens[last].kind in ("d", SIZE)
    if last > first and leads and tokens[last - 1].text.endswith("ing"):
        last -= 1
    return first, last


def _phrase(tokens: Sequence[Token], first: int, last: int) -> Phrase:
    left, right = first, last
    while left and _joins(tokens[left - 1]):
        left -= 1
    while right < len(tokens) and _joins(tokens[right]):
        right += 1
    return Phrase(
        tokens[first].start, tokens[last - 1].end, _role(tokens, first, last), tokens[left].start, tokens[right - 1].end
    )


def _joins(token: Token) -> bool:
    return token.kind in _PARTS or _inside(token)


def _role(tokens: Sequence[Token], first: int, last: int) -> Role:
    following = tokens[last] if last < len(tokens) else None
    if following is not None and following.kind in _NOUNS:
        return "modifier"
    return "predicate" if last - first == 1 and _behind_copula(tokens, first) else "noun"


def _behind_copula(tokens: Sequence[Token], at: int) -> bool:
    """True where a copula stands in front, degree words and cues aside ("is slightly rotated")."""
    while at and (tokens[at - 1].kind in (ATTRIBUTE, CUE) or is_adverb(tokens[at - 1].text)):
        at -= 1
        if tokens[at].text.startswith("there "):
            return False
    return at > 0 and tokens[at - 1].text in COPULAS and (at < 2 or tokens[at - 2].text != "there")
