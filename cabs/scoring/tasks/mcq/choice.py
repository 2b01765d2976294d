"""What a model wrote → the one option that it names, or why it names none.

Letters and texts count, in any usual spelling; what is denied ("not B") does not. An answer that names several options,
or a letter with another option's text, names none: nobody can earn by hedging. Which option is right plays no part.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Literal

from cabs.scoring.tasks.mcq.options import Options
from cabs.scoring.tasks.mcq.words import TOKEN, undressed, words

Why = Literal["", "missing", "empty", "no option", "several options"]

LONGEST = 20_000
"""Characters of an answer that are read; bounds the time that any of them takes."""
NEAR = 80
"""Characters before and behind a mention in which a denial of it is looked for."""

_OPEN, _CLOSE = "<answer>", "</answer>"
_THOUGHT = "</think>"
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|no|neither|nor|without|except|exclud(?:e|es|ed|ing)|rul(?:e|es|ed|ing)\s+out|eliminat(?:e|es|ed|ing)"
    r"|reject(?:s|ed|ing)?|rather\s+than|instead\s+of|cannot|other\s+than)\b|n't\b)"
    r"(?:\s+(?!but\b|and\b|so\b|only\b)[\w']+){0,3}[\s(\[\"']*$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[\s)\].:\"',]*(?:is|are|was|were|can\s+be|seems?|looks?|has\s+been)\s*(?:n't|(?:\w+ly\s+)?(?:not|wrong|incorrect"
    r"|false|exclu\w+|ruled\s+out|rejected|eliminated|unlikely|less\s+likely)\b)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[\s)\].\"']*(?:[,/&]|\b(?:or|and|nor)\b)(?:\s*(?:or|and|nor)\b)?[\s(\[\"']*", re.IGNORECASE)
_LISTED = re.compile(r"[\s)\].;\"']*(?:[,/&;]|\b(?:or|and)\b)(?:\s*(?:or|and)\b)?[\s(\[\"']*", re.IGNORECASE)
_BESIDE = re.compile(r"[\s)\].:,\"'(–—-]*(?:(?:which|that)\s+is\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choice:
    """The label of the one option that an answer names; None with the reason `why`."""

    label: str | None
    why: Why = ""


@dataclass(frozen=True, slots=True)
class _Mention:
    """An option named at `start` to `end`; `kind`: "cued" by words of answering, "marked" as a label is written,
    "bare", or by its "text"."""

    label: str
    start: int
    end: int
    kind: Literal["cued", "marked", "bare", "text"]


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How labels are named: the answer is one `alone`; `cued` by words before it or `said` to be right; `marked` as a
    label is written; `bare`; or `next` in a list."""

    alone: re.Pattern[str]
    cued: re.Pattern[str]
    said: re.Pattern[str]
    marked: re.Pattern[str]
    bare: re.Pattern[str]
    next: re.Pattern[str]


@lru_cache(maxsize=256)
def _patterns(labels: tuple[str, ...]) -> _Patterns:
    one = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    any_case = rf"(?P<label>(?i:{one}))"
    whole = r"(?![\w'])(?!\s+(?<=[ai]\s)\w)"  # "is a nodule" names no option A
    cue = r"\b(?:answer|(?:correct|right|best|final)\s+(?:option|choice|letter)|choose|select|pick|go(?:ing)?\s+with)\b"
    link = r"(?:\s*+(?:is|would\s+be|should\s+be|must\s+be|to\s+the\s+question\s+is)\b)?\s*+[:=]?"
    kind = r"\s*+(?:(?:the\s+)?(?:option|choice|letter)\b\s*+:?)?[\s(\[\"']*+"
    article = r"(?!(?<=[AI])\s+(?!(?:or|and|nor|is|because|since|as)\b)[a-z])"  # "A nodule is seen"
    right = r"(?:the\s+)?(?:correct|right|best|true|(?:final\s+)?answer)\b"
    named = rf"(?i:\b(?:option|choice)\s+)\(?{any_case}(?![\w'])"
    enclosed = rf"[(\[]\s?(?P<inner>(?i:{one}))\s?[)\]]"
    marked = rf"(?<![\w'.])(?P<mark>(?i:{one}))(?:[):]|\.(?=\s|$))"
    return _Patterns(
        alone=re.compile(rf"[\W_]*{any_case}[\W_]*"),
        cued=re.compile(rf"(?i:{cue}{link}{kind}){any_case}{whole}"),
        said=re.compile(rf"(?<![\w'])(?P<label>{one})[)\].\"']*\s+is\s+(?i:{right})"),
        marked=re.compile(f"{named}|{enclosed}|{marked}"),
        bare=re.compile(rf"(?<![\w'.-])(?P<label>{one})(?![\w'])(?!-\w){article}"),
        next=re.compile(rf"{any_case}(?![\w'])"),
    )


def chosen(answer: str, options: Options) -> Choice:
    """The option that an answer names: the inside of its answer tags where it has some (several pairs have to agree),
    else what stands behind its thought.

    >>> options = Options((("A", "Yes"), ("B", "No")))
    >>> chosen("<think>Hm.</think><answer>B</answer>", options).label, chosen("(b) no", options).label
    ('B', 'B')
    >>> chosen("A or B", options)
    Choice(label=None, why='several options')
    """
    said = answer.rpartition(_THOUGHT)[2][:LONGEST]
    found = [_one(inside, options) for inside in inside_tags(said) or [said]]
    if all(choice == found[0] for choice in found):
        return found[0]
    return Choice(None, "several options")


def inside_tags(text: str) -> list[str]:
    """What stands inside each pair of answer tags, in order."""
    found: list[str] = []
    start = text.find(_OPEN)
    while start >= 0:
        end = text.find(_CLOSE, start)
        if end < 0:
            break
        found.append(text[start + len(_OPEN) : end])
        start = text.find(_OPEN, end)
    return found


def _one(text: str, options: Options) -> Choice:
    plain = undressed(text)
    if not plain:
        return Choice(None, "empty")
    patterns = _patterns(options.labels)
    alone = patterns.alone.fullmatch(plain)
    if alone is not None:
        return Choice(alone["label"].upper())
    same = options.with_text(plain)
    if len(same) == 1:
        return Choice(same[0])
    return _of(_named(plain, options, patterns))


_start = attrgetter("start")


def _of(labels: set[str]) -> Choice:
    if len(labels) == 1:
        return Choice(next(iter(labels)))
    return Choice(None, "several options" if labels else "no option")


def _named(text: str, options: Options, patterns: _Patterns) -> set[str]:
    """The options that the strongest mentions name: those with words of answering; else a label at the start with
    the others written like it; else all."""
    texts = list(_texts(text, options))
    letters = _letters(text, patterns)
    standing = _undenied(text, sorted([*letters, *texts], key=lambda m: (m.start, m.end)))
    cued = [m for m in standing if m.kind == "cued"]
    marked = [m for m in standing if m.kind in ("cued", "marked")]
    if cued:
        strongest = cued
    elif marked and not words(text[: marked[0].start]):
        strongest = marked
    else:
        return {m.label for m in standing}
    beside = [label for m in strongest for label in _beside(text, m, texts, patterns)]
    return {*(m.label for m in strongest), *beside}


def _letters(text: str, patterns: _Patterns) -> list[_Mention]:
    """Labels, each once, under the strongest of its readings."""
    found: dict[int, _Mention] = {}
    for match in (*patterns.cued.finditer(text), *patterns.said.finditer(text)):
        start = match.start("label")
        found.setdefault(start, _Mention(match["label"].upper(), start, match.end("label"), "cued"))
    for match in patterns.marked.finditer(text):
        group = next(name for name in ("label", "inner", "mark") if match[name])
        start = match.start(group)
        found.setdefault(start, _Mention(match[group].upper(), start, match.end(group), "marked"))
    for match in patterns.bare.finditer(text):
        start = match.start("label")
        found.setdefault(start, _Mention(match["label"].upper(), start, match.end("label"), "bare"))
    return list(found.values())


def _texts(text: str, options: Options) -> Iterator[_Mention]:
    """Options named by their text, whole words; the longest where one text contains another."""
    tokens = [(match[0].casefold(), match.start(), match.end()) for match in TOKEN.finditer(text)]
    by_first: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for label, found in sorted(options.words, key=lambda item: -len(item[1])):
        by_first.setdefault(found[0], []).append((label, found))
    said = [token for token, _, _ in tokens]
    at = 0
    while at < len(tokens):
        size = 0
        for label, found in by_first.get(said[at], ()):
            if len(found) >= size and said[at : at + len(found)] == list(found):
                size = len(found)
                yield _Mention(label, tokens[at][1], tokens[at + size - 1][2], "text")
        at += size or 1


def _undenied(text: str, mentions: Sequence[_Mention]) -> list[_Mention]:
    """The mentions that nothing denies. What is joined to a denied one by a comma or a conjunction is denied too."""
    standing: list[_Mention] = []
    denied_until: int | None = None
    for mention in mentions:
        before, behind = text[max(0, mention.start - NEAR) : mention.start], text[mention.end : mention.end + NEAR]
        joined = denied_until is not None and _JOINED.fullmatch(text, denied_until, mention.start) is not None
        if joined or _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.match(behind) is not None:
            denied_until = mention.end
        else:
            standing.append(mention)
    return standing


def _beside(text: str, mention: _Mention, texts: Sequence[_Mention], patterns: _Patterns) -> Iterator[str]:
    """What stands directly behind a label: the text of an option, or more labels of a list."""
    for other in texts[bisect_left(texts, mention.end, key=_start) :]:
        if not _BESIDE.fullmatch(text, mention.end, other.start):
            break
        yield other.label
    end = mention.end
    while (joined := _LISTED.match(text, end)) is not None:
        label = patterns.next.match(text, joined.end())
        if label is None:
            return
        yield label["label"].upper()
        end = label.end()
