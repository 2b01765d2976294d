"""Any number of pairs of the length of chest radiograph reports, made from shipped text by rewording.

The sentences are those of the reports written for this project (data/xray_own.jsonl, gold/registers/xray.jsonl). Each
is said anew by the counterfactual study's rewording, sides and sizes vary, some sentences are joined into one, and
their order is drawn. A prediction says most of its reference in other words, changes a side or a size here and there,
leaves out and invents. The same seed makes the same file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.corpora import HERE, records
from cabs.studies.counterfactual.lexicon import Lexicon, load_lexicon
from cabs.studies.counterfactual.passages import sections
from cabs.studies.counterfactual.rewording import reworded

VARIANTS, TRIES = 12, 40
"""Wordings of a sentence that are looked for, and how often."""
SENTENCES = (2, 3, 3, 3, 4)
"""How many sentences a reference has."""
JOINED, SAME, CHANGED, LEFT_OUT, INVENTED = 0.1, 0.3, 0.15, 0.15, 0.25
"""Shares: of sentences that are joined to the next; in predictions, of sentences that keep their wording, that state
another side or size, that are left out; and of predictions that say one thing more."""
SIZES = tuple(n / 8 for n in range(4, 17))
SIDES = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)
SIZE = re.compile(r"\b(\d+(?:\.\d+)?)(?= ?(?:mm|cm)\b)")
END = re.compile(r"[.]$")


class Said(NamedTuple):
    """A sentence of the bank in one wording, sides exchanged or not, sizes times a factor."""

    source: int
    wording: int
    turned: bool
    factor: float


@dataclass(frozen=True)
class Bank:
    """The wordings of each shipped sentence; the first of them is its own."""

    wordings: tuple[tuple[str, ...], ...]

    def text(self, said: Said) -> str:
        """The sentence in words."""
        words = self.wordings[said.source][said.wording]
        if said.turned:
            words = SIDE.sub(lambda found: SIDES.get(found[0], found[0]), words)
        return SIZE.sub(lambda found: _number(float(found[1]) * said.factor), words)


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 3 else f"{value:.1f}"


def shipped_sentences(lexicon: Lexicon) -> list[str]:
    """Every sentence of the shipped reports that says what the study shows, once, in their order."""
    own = [record["report"] for record in records(HERE / "data" / "xray_own.jsonl")]
    annotated = [record["text"] for record in records(HERE / "gold" / "registers" / "xray.jsonl")]
    found: dict[str, None] = {}
    for text in [*own, *annotated]:
        for section in sections(text, lexicon):
            for block in section.blocks:
                for at, sentence in enumerate(block.sentences):
                    words = text[sentence.start : sentence.end]
                    if words.endswith(".") and not sentence.glued and (at or block.body == block.inner):
                        found.setdefault(words)
    return list(found)


def bank(seed: int = 0) -> Bank:
    """The shipped sentences and what the rewording makes of them."""
    lexicon, rng = load_lexicon(), Random(seed)
    return Bank(tuple(_wordings(sentence, lexicon, rng) for sentence in shipped_sentences(lexicon)))


def _wordings(sentence: str, lexicon: Lexicon, rng: Random) -> tuple[str, ...]:
    found = {sentence: None}
    for _ in range(TRIES):
        found.setdefault(_alone(reworded(sentence, lexicon, rng)[0], lexicon))
        if len(found) == VARIANTS:
            break
    return tuple(found)


def _alone(words: str, lexicon: Lexicon) -> str:
    """A sentence without the remarks that the rewording puts behind it: in every sentence they would be most of all."""
    for remark in lexicon.frames.remarks:
        words = words.replace(f" {remark}", "")
    return words.replace("\n", " ").strip()


def reports(bank: Bank, number: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """So many references, each with its prediction."""
    rng = Random(seed)
    for _ in range(number):
        said = [_drawn(bank, source, rng) for source in rng.sample(range(len(bank.wordings)), rng.choice(SENTENCES))]
        yield _report(bank, said, rng), _report(bank, _predicted(bank, said, rng), rng)


def _drawn(bank: Bank, source: int, rng: Random) -> Said:
    return Said(source, rng.randrange(len(bank.wordings[source])), rng.random() < 0.5, rng.choice(SIZES))


def _predicted(bank: Bank, said: list[Said], rng: Random) -> list[Said]:
    found = []
    for one in said:
        if rng.random() < LEFT_OUT:
            continue
        other = one if rng.random() < SAME else one._replace(wording=rng.randrange(len(bank.wordings[one.source])))
        if rng.random() < CHANGED:
            other = other._replace(turned=not other.turned, factor=rng.choice(SIZES))
        found.append(other)
    if rng.random() < INVENTED or not found:
        found.append(_drawn(bank, rng.randrange(len(bank.wordings)), rng))
    rng.shuffle(found)
    return found


def _report(bank: Bank, said: list[Said], rng: Random) -> str:
    words = ""
    for text in map(bank.text, said):
        if words and rng.random() < JOINED:
            words = END.sub("; ", words) + text[:1].lower() + text[1:]
        else:
            words = f"{words} {text}".strip()
    return words


def write_pairs(path: Path, number: int, seed: int = 0) -> None:
    """A file of so many pairs, whole or not at all."""
    beside, known = path.with_name(f"{path.name}.part"), bank(seed)
    with beside.open("w", encoding="utf-8", newline="\n") as out:
        for at, (reference, prediction) in enumerate(reports(known, number, seed)):
            row = {"id": f"s{at:07d}", "reference": reference, "prediction": prediction}
            out.write(json.dumps(row) + "\n")
    beside.replace(path)


STOP = re.compile(r"(?<=[.]) ")


def measured(path: Path) -> dict[str, int]:
    """Characters of a report in the mean, sentences, and how many of them are distinct."""
    characters = sentences = number = 0
    distinct: set[bytes] = set()
    for row in records(path):
        for text in (row["reference"], row["prediction"]):
            found = STOP.split(text)
            number, characters, sentences = number + 1, characters + len(text), sentences + len(found)
            distinct.update(hash(sentence).to_bytes(8, "little", signed=True) for sentence in found)
    return {"characters": round(characters / number), "sentences": sentences, "distinct_sentences": len(distinct)}
