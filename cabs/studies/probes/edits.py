"""Sentences → the same sentences denied, asserted, hedged, on the other side, in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cabs.studies.probes.cut import Cut
from cabs.studies.probes.data import Frame, Lexicon

WORD = re.compile(r"[A-Za-z-]+")

Changed = dict[int, str]
"""Sentences that an edit changes, by their numbers, and their new words."""


def negated(cut: Cut, lexicon: Lexicon) -> Changed:
    """Sentences that state findings denied, the others asserted where they deny; those that say more than one thing
    stay."""
    found: Changed = {}
    for at, sentence in enumerate(cut.sentences):
        said = cut.said(at)
        if sentence.finding:
            new = None if lexicon.mixed.search(said) else _framed(said, lexicon.frames("deny"), lexicon)
        else:
            new = _framed(said, lexicon.frames("assert_"), lexicon)
            for pattern, instead in lexicon.words.asserted if new else ():
                new = re.sub(pattern, instead, new or "")
        if new is not None:
            found[at] = new
    return found


def hedged(cut: Cut, lexicon: Lexicon) -> Changed:
    """Sentences that state findings, each with a hedge."""
    frames = lexicon.frames("hedge")
    return {at: new for at in cut.findings if (new := _framed(cut.said(at), frames, lexicon)) is not None}


def sides(cut: Cut, lexicon: Lexicon) -> Changed:
    """Sentences that state findings with right and left exchanged; those about what has one side alone stay."""
    pattern, other = lexicon.sides

    def turned(match: re.Match[str]) -> str:
        new = other[match[0].lower()]
        return new.capitalize() if match[0][0].isupper() and new.islower() else new

    found: Changed = {}
    for at in cut.findings:
        said = cut.said(at)
        new = said if lexicon.one_sided.search(said) else pattern.sub(turned, said)
        if new != said:
            found[at] = new
    return found


def doubled(cut: Cut, chosen: Sequence[int]) -> Changed:
    """These sentences, each told twice."""
    found: Changed = {}
    for at in chosen:
        said = cut.said(at)
        found[at] = f"{said} {said}" if said.endswith((".", "!", "?")) else f"{said}. {said}"
    return found


def reworded(cut: Cut, lexicon: Lexicon) -> Changed:
    """Sentences in another frame and with equal words."""
    found: Changed = {}
    for at in range(len(cut.sentences)):
        said = cut.said(at)
        new = _framed(said, lexicon.frames("reword"), lexicon) or said
        for pattern, instead in lexicon.words.equal_words:
            new = re.sub(pattern, instead, new)
        if new != said:
            found[at] = new
    return found


def _framed(said: str, frames: Sequence[Frame], lexicon: Lexicon) -> str | None:
    """The sentence by the first frame that fits it, its stop kept; None where none does."""
    body = said.rstrip(". ")
    stop = said[len(body) :]
    verbless = lexicon.verb.search(body) is None
    for frame in frames:
        match = frame.pattern.fullmatch(body) if verbless or not frame.nominal else None
        if match is not None:
            return _sentence(match.expand(frame.becomes), body) + stop
    return None


def _sentence(said: str, before: str) -> str:
    """The words with the capital of a sentence, and without that of the word that began it before."""
    said = " ".join(said.split())
    found = WORD.match(before)
    first = found[0] if found else ""
    if first[1:].islower() and not said.startswith(first):
        said = re.sub(rf"\b{re.escape(first)}\b", first.lower(), said, count=1)
    return said[:1].upper() + said[1:]
