"""A text → the same text in other words: sentences said anew, in another order, with nothing altered that it states."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

from cabs.studies.counterfactual.lexicon import Lexicon
from cabs.studies.counterfactual.passages import Block, Section
from cabs.studies.counterfactual.phrasing import Phraser
from cabs.studies.counterfactual.reading import Reading, Statement, read

FAR = 0.8
"""ROUGE-L against the text that a rewording may have at most."""
TRIES = 16
LEAST_SHARE = 0.45
"""The share of sentences that is said anew at least, on the average."""
REMARKS = 3
"""Remarks that add nothing, at most, in each section."""
WORDS = re.compile(r"[a-z0-9]+")


def rouge_l(one: str, other: str) -> float:
    """ROUGE-L (F1, no stemming) of two texts; words are runs of a-z and 0-9. 0 where one has none (Lin 2004).

    >>> rouge_l("no stone", "No stone is seen")
    0.6666666666666666
    """
    from rapidfuzz.distance import LCSseq

    a, b = WORDS.findall(one.lower()), WORDS.findall(other.lower())
    return 2 * LCSseq.similarity(a, b) / (len(a) + len(b)) if a and b else 0.0


def reworded(text: str, lexicon: Lexicon, rng: Random, *, far: float = FAR) -> tuple[str, bool]:
    """The text in other words, and whether its ROUGE-L against the text is at most `far`; where no try gets there, the
    farthest one. Every try says more sentences anew than the one before.
    """
    reading = read(text, lexicon)
    tries: list[tuple[float, str]] = []
    for attempt in range(TRIES):
        share = min(1.0, LEAST_SHARE + 0.5 * rng.random() + 0.1 * attempt)
        said = _once(reading, lexicon, rng, share)
        tries.append((rouge_l(text, said), said))
        if tries[-1][0] <= far:
            return said, True
    return min(tries)[1], False


def _once(reading: Reading, lexicon: Lexicon, rng: Random, share: float) -> str:
    phraser = Phraser(reading, lexicon, rng, share)
    by_place = {made.start: made for made in reading.statements}
    parts = []
    for section in reading.sections:
        if not section.described or not section.blocks:
            parts.append(reading.text[section.start : section.end])
            continue
        parts.append(_section(reading, section, by_place, phraser, rng))
    return "".join(parts)


def _section(reading: Reading, section: Section, by_place: dict[int, Statement], phraser: Phraser, rng: Random) -> str:
    """Blocks change places; numbers, line breaks and what lies between blocks stay where they are."""
    text, blocks = reading.text, section.blocks
    gaps = [text[section.start : blocks[0].start]]
    gaps += [text[a.end : b.start] for a, b in pairwise(blocks)]
    numbers = [text[b.start : b.inner] for b in blocks]
    order = _order(text, section, by_place, rng)
    said = [_block(text, blocks[at], at == 0, by_place, phraser, rng) for at in order]
    said[-1] += "".join(f" {remark}" for remark in _remarks(said[-1], phraser, rng))
    body = "".join(f"{gap}{number}{block}" for gap, number, block in zip(gaps, numbers, said, strict=True))
    return body + text[blocks[-1].end : section.end]


def _remarks(block: str, phraser: Phraser, rng: Random) -> list[str]:
    """Up to three remarks behind the last block, where that ends as a sentence."""
    remarks = phraser.lexicon.frames.remarks
    return rng.sample(remarks, rng.randrange(REMARKS + 1)) if block.endswith(".") else []


def _order(text: str, section: Section, by_place: dict[int, Statement], rng: Random) -> list[int]:
    """Blocks with a label change places among themselves, and so do those without; none does where a line is the
    heading of those below it."""
    blocks = section.blocks
    order = list(range(len(blocks)))
    if any(text[: b.end].endswith(":") for b in blocks):
        return order
    free = [at for at, b in enumerate(blocks) if not _pinned(b, at, section, by_place)]
    for labelled in (False, True):
        alike = [at for at in free if (blocks[at].body > blocks[at].inner) is labelled]
        for place, at in zip(alike, rng.sample(alike, len(alike)), strict=True):
            order[place] = at
    return order


def _free(made: Statement) -> bool:
    """Whether a sentence may leave the one before it: who knows what one speaks of that the lexicon does not read?"""
    return made.whole or made.kind == "denial"


def _pinned(block: Block, at: int, section: Section, by_place: dict[int, Statement]) -> bool:
    """The first line of a report without headings is often its title."""
    return at == 0 and section.start == 0 and not _read(block.sentences[0].start, by_place)


def _read(start: int, by_place: dict[int, Statement]) -> bool:
    return by_place[start].kind != "other"


def _block(text: str, block: Block, first: bool, by_place: dict[int, Statement], phraser: Phraser, rng: Random) -> str:
    groups: list[list[Statement]] = []
    for sentence in block.sentences:
        if groups and (sentence.glued or not _free(by_place[sentence.start])):
            groups[-1].append(by_place[sentence.start])
        else:
            groups.append([by_place[sentence.start]])
    held = groups[:1] if first and groups and groups[0][0].kind == "other" else []
    rest = groups[len(held) :]
    rng.shuffle(rest)
    label = text[block.inner : block.body]
    return label + " ".join(phraser.say(made) for group in [*held, *rest] for made in group)
