"""A reference cut into sentences: which of them state findings, and the text with some changed, left out or moved."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from cabs.ontology import Ontology
from cabs.parsing import RulesParser
from cabs.studies.probes.data import Lexicon
from cabs.values import Fact, ParsedReport

STOPS = ".!?:;"


@dataclass(frozen=True, slots=True)
class Sentence:
    """text[start:end]. `finding`: a present abnormality is stated in it. `block`: sentences of one block may change
    places."""

    start: int
    end: int
    finding: bool
    block: int


@dataclass(frozen=True)
class Cut:
    """A reference with the sentences of its findings and impression, and its facts."""

    id: str
    text: str
    sentences: tuple[Sentence, ...]
    facts: ParsedReport

    @property
    def findings(self) -> tuple[int, ...]:
        """The sentences that state findings."""
        return tuple(at for at, sentence in enumerate(self.sentences) if sentence.finding)

    def said(self, at: int) -> str:
        """The words of a sentence."""
        return self.text[self.sentences[at].start : self.sentences[at].end]

    def with_changed(self, changed: Mapping[int, str]) -> str:
        """The text with other words in place of some sentences."""
        parts, end = [], 0
        for at, sentence in enumerate(self.sentences):
            parts += [self.text[end : sentence.start], changed.get(at, self.said(at))]
            end = sentence.end
        return "".join([*parts, self.text[end:]])

    def without(self, left_out: Collection[int]) -> str:
        """The text without some sentences."""
        return tidy(self.with_changed(dict.fromkeys(left_out, "")))

    def shuffled(self, lexicon: Lexicon, rng: Random) -> str | None:
        """The text with the sentences of each block in another order; None where there is no other one."""
        blocks: dict[int, list[list[int]]] = {}
        for at, sentence in enumerate(self.sentences):
            units = blocks.setdefault(sentence.block, [])
            if units and lexicon.leaning.match(self.said(at)):
                units[-1].append(at)
            else:
                units.append([at])
        changed: dict[int, str] = {}
        for units in blocks.values():
            changed.update(self._moved(_turned(units, rng)))
        return self.with_changed(changed) if changed else None

    def _moved(self, order: Sequence[Sequence[int]]) -> dict[int, str]:
        """The words of the sentences in a new order, by the places that they take."""
        flat = [at for unit in order for at in unit]
        places = sorted(flat)
        return {place: _stopped(self.said(at)) for place, at in zip(places, flat, strict=True) if flat != places}


def tidy(text: str) -> str:
    """A text without the spaces that a sentence leaves behind.

    >>> tidy("One.  Three. \\nIMPRESSION: ")
    'One. Three.\\nIMPRESSION:'
    """
    return "\n".join(re.sub(" {2,}", " ", line).strip(" ") for line in text.split("\n")).strip()


def _turned(units: Sequence[list[int]], rng: Random) -> list[list[int]]:
    """Another order of the units, where there are two or more."""
    order = list(units)
    while len(order) > 1 and order == list(units):
        rng.shuffle(order)
    return order


def _stopped(said: str) -> str:
    return said if said[-1:] in STOPS else f"{said}."


class Cutter:
    """Cuts references by the parser's own sentences."""

    def __init__(self, ontology: Ontology) -> None:
        self._parser = RulesParser(ontology)

    def cut(self, id: str, text: str) -> Cut:
        """The reference in pieces."""
        facts = self._parser.parse(text)
        stated = {span.start for fact in facts.facts if _counts(fact) for span in (*fact.evidence, fact.mention)}
        found: list[Sentence] = []
        block, end = -1, 0
        for stretch in self._parser.stretches(text):
            heading: str | None = None
            for sentence in self._parser.sentences(text, stretch):
                headed = any(map(str.isalpha, text[end : sentence.start]))
                if heading != sentence.heading or headed:
                    block, heading = block + 1, sentence.heading
                end = sentence.end
                finding = any(sentence.start <= at < sentence.end for at in stated)
                found.append(Sentence(sentence.start, sentence.end, finding, block))
        return Cut(id, text, tuple(found), facts)


def _counts(fact: Fact) -> bool:
    return fact.status == "present" and fact.kind == "abnormality"
