"""What a training step hands to a reward: prompts with a group of completions each, made of shipped CT reports.

A completion has its reference's sentences in another order, some left out, some of other reports put in, some joined;
most are changed: numbers, sides, certainty, status, words. So they are about what the reference is about, as a trained
model's are, and most of them the parser has never seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from statistics import fmean

from benchmarks.bandit.cases import Case, case_of
from benchmarks.bandit.policies import tagged
from benchmarks.corpora import ct_pairs
from cabs.rewards import Example
from cabs.rewards.tags import SECTIONS
from cabs.studies.probes import edits
from cabs.studies.probes.cut import Cut
from cabs.studies.probes.data import load
from cabs.studies.seeded import seeded

PROMPTS, GROUP = 64, 8
LEAST, MOST = 940, 1800
"""Characters of a report that is taken, so that completions have those of CT reports, about 970."""
LEFT_OUT, PUT_IN, CHANGED, JOINED = 0.1, 0.1, 0.85, 0.3
"""Probabilities, by sentence."""

_NUMBER = re.compile(r"(?<![\w.])[1-9]\d?(?=(?:\.\d)?(?: ?[x×] ?\d+(?:\.\d)?)* ?(?:mm|cm)\b)")


def rollouts(skip: int = 0, prompts: int = PROMPTS, group: int = GROUP) -> list[Example]:
    """Examples, the group of a prompt together, the first `skip` prompts passed over; the same on every call."""
    cases = _cases()
    return [
        Example(_completion(case, cases[at - 1], seeded("rollout", case.id, number)), case.reference)
        for at, case in enumerate(cases[skip : skip + prompts], skip)
        for number in range(group)
    ]


def described(examples: Sequence[Example]) -> dict[str, float]:
    """How many completions, their mean length, and the share of their sentences that stand nowhere before."""
    told = [str(example.completion) for example in examples]
    lines = [line for text in told for line in text.splitlines() if not line.startswith("<")]
    known = {line for example in examples for line in str(example.reference).splitlines()}
    return {
        "completions": len(told),
        "characters": round(fmean(map(len, told))),
        "sentences": round(len(lines) / len(told), 1),
        "distinct": round(len(set(lines) - known) / len(lines), 3),
    }


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    """CT reports of the length that is asked for, in a seeded order."""
    texts = dict.fromkeys(text for pair in ct_pairs() for text in pair if LEAST <= len(text) <= MOST)
    found = [case for at, text in enumerate(texts) if (case := case_of(str(at), text))]
    seeded("rollouts").shuffle(found)
    return tuple(found)


def _completion(case: Case, other: Case, chance: Random) -> str:
    return tagged({name: _section(case.cuts[name], other.cuts[name], chance) for name in SECTIONS})


def _section(cut: Cut, other: Cut, chance: Random) -> str:
    """Sentences, one a line."""
    said = [_changed(cut, at, chance) for at in range(len(cut.sentences)) if chance.random() >= LEFT_OUT]
    said += [_changed(other, at, chance) for at in range(len(other.sentences)) if chance.random() < PUT_IN]
    chance.shuffle(said)
    told: list[str] = []
    for sentence in said:
        if told and chance.random() < JOINED:
            told[-1] = f"{told[-1].rstrip('.')}; {sentence[:1].lower()}{sentence[1:]}"
        else:
            told.append(sentence)
    return "\n".join(told)


def _changed(cut: Cut, at: int, chance: Random) -> str:
    """A sentence as it is, or in one of the ways in which it can be changed, with other numbers."""
    said = " ".join(cut.said(at).split())
    if chance.random() >= CHANGED:
        return said
    ways = [said, *(told[at] for told in _edits(cut) if at in told)]
    return _NUMBER.sub(lambda _: str(chance.randint(2, 48)), " ".join(chance.choice(ways).split()))


@cache
def _edits(cut: Cut) -> tuple[Mapping[int, str], ...]:
    lexicon = load()[1]
    return tuple(edit(cut, lexicon) for edit in (edits.reworded, edits.hedged, edits.sides, edits.negated))
