"""Figures by the way a fact is worded: denials of several things, exceptions, hedges, coordination, headings that
carry the organ, abbreviations, misspellings, words that point back ... as `phenomena.yaml` describes them.

Recall-like figures are of the annotated facts that are worded so: mentions and entities found, read under the other
status, and of the present pairs the slots that agree. F1-like figures are of whole sentences: all annotated and all
parsed facts in the sentences that hold such a fact, so that what is read too much there counts as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml
from rapidfuzz import process
from rapidfuzz.distance import OSA

import cabs
from benchmarks.agreement import Item
from benchmarks.rooms.gold import items, resolved, turned
from benchmarks.rooms.parts import Figures, Measured, Record
from benchmarks.rooms.ratios import share
from cabs.ontology.model import Entity, Structure
from cabs.values import Span

RULES = Path(__file__).with_name("phenomena.yaml")
BEFORE = 80
SHORTEST_MISSPELT = 5
SLOTS = ("organ", "side", "certainty")


@dataclass(frozen=True, slots=True)
class Place:
    """An annotated fact in its report: the record, its item, and what stands with it in the sentence."""

    text: str
    record: Record
    item: Item
    beside: tuple[Item, ...]

    @property
    def sentence(self) -> str:
        """The words of its sentence."""
        return self.text[slice(*self.item.sentence)] if self.item.sentence else ""

    @property
    def mention(self) -> str:
        """The words that name it."""
        return self.text[slice(*self.item.mention)] if self.item.mention else ""

    @property
    def before(self) -> str:
        """What stands right before its sentence."""
        start = self.item.sentence.start if self.item.sentence else 0
        return self.text[max(0, start - BEFORE) : start]


@lru_cache(maxsize=1)
def rules() -> tuple[dict[str, Any], ...]:
    """The phenomena as their file describes them."""
    return tuple(yaml.safe_load(RULES.read_text(encoding="utf-8")))


def places(record: Record, gold: Sequence[Item]) -> list[Place]:
    """The annotated facts of a report in their surroundings."""
    return [
        Place(record["text"], fact, item, tuple(other for other in gold if other.sentence == item.sentence))
        for fact, item in zip(record["facts"], gold, strict=True)
    ]


def holds(rule: Mapping[str, Any], place: Place) -> bool:
    """Whether a fact is worded so."""
    cased = bool(rule.get("cased"))
    if cased and place.text.isupper():
        return False
    if any(
        rule.get(slot, value) != value
        for slot, value in (("status", place.item.status), ("certainty", place.item.certainty))
    ):
        return False
    for where in ("sentence", "before", "mention"):
        if where in rule and not _pattern(rule[where], cased).search(getattr(place, where)):
            return False
    return (
        _has_attribute(rule.get("attribute"), place.record)
        and _together(rule.get("together"), place)
        and (not rule.get("misspelt") or misspelt(place.mention))
    )


@cache
def _pattern(text: str, cased: bool) -> re.Pattern[str]:
    return re.compile(text, 0 if cased else re.IGNORECASE)


def _has_attribute(wanted: Mapping[str, str] | None, record: Record) -> bool:
    if wanted is None:
        return True
    same = [a for a in record.get("attributes") or [] if a.get("kind") == wanted["kind"]]
    return any(_pattern(wanted["text"], False).search(a.get("text") or "") for a in same)


def _together(wanted: Mapping[str, Any] | None, place: Place) -> bool:
    if wanted is None:
        return True
    alike = [o for o in place.beside if all(getattr(o, s) == getattr(place.item, s) for s in wanted["same"])]
    return len(alike) >= int(wanted["least"])


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """The words of all names and places that the ontology knows, in every spelling and number."""
    ontology = cabs.load_ontology()
    records: list[Entity | Structure] = [*ontology.entities.values(), *ontology.structures.values()]
    forms = (surface.text for record in records for surface in ontology.surface_forms(record))
    return frozenset(word for form in forms for word in re.findall(r"[a-z]+", form.lower()))


@lru_cache(maxsize=100_000)
def _misspelt(word: str) -> bool:
    known = known_words()
    if len(word) < SHORTEST_MISSPELT or word in known:
        return False
    best = process.extractOne(word, known, scorer=OSA.distance, score_cutoff=1)
    return best is not None and best[0][:1] == word[:1]


def misspelt(words: str) -> bool:
    """Whether an unknown word of five letters or more is one edit (or two letters swapped) away from a known one that
    starts alike; a plural or another ending is no misspelling."""
    return any(_misspelt(w) and not _known_ending(w) for w in re.findall(r"[a-z]+", words.lower()))


def _known_ending(word: str) -> bool:
    return word.removesuffix("s") in known_words() or f"{word}s" in known_words()


def measure(records: Sequence[Record]) -> Measured:
    """The figures of every phenomenon. No mistakes of its own: they are those of the annotated files."""
    counts: dict[str, Counter[str]] = {rule["id"]: Counter() for rule in rules()}
    agreement = resolved()
    for record in records:
        gold, found = items(record)
        pairs = dict(agreement.pairs(gold, found))
        around = places(record, gold)
        for rule in rules():
            worded = [i for i, place in enumerate(around) if holds(rule, place)]
            n = counts[rule["id"]]
            _facts(worded, gold, found, pairs, n)
            n["same"] += sum(agreement.same(gold[i], found[pairs[i]]) for i in worded if i in pairs)
            _sentences({gold[i].sentence for i in worded} - {None}, gold, found, pairs, n)
    return {name: _figures(n) for name, n in counts.items()}, []


def _facts(
    worded: list[int], gold: Sequence[Item], found: Sequence[Item], pairs: dict[int, int], n: Counter[str]
) -> None:
    for i in worded:
        g = gold[i]
        n["facts"] += 1
        n["found"] += i in pairs
        n["turned"] += i not in pairs and any(turned(g, f) for f in found)
        if i in pairs and g.status == "present":
            n["present"] += 1
            for slot in SLOTS:
                n[slot] += getattr(g, slot) == getattr(found[pairs[i]], slot)
            n["size_asked"] += bool(g.sizes)
            n["size"] += bool(g.sizes) and g.sizes == found[pairs[i]].sizes


def _sentences(
    spans: set[Span | None], gold: Sequence[Item], found: Sequence[Item], pairs: dict[int, int], n: Counter[str]
) -> None:
    inside = {i for i, g in enumerate(gold) if g.sentence in spans}
    n["sentence_gold"] += len(inside)
    n["sentence_pairs"] += len(inside & pairs.keys())
    ours = {pairs[i] for i in inside & pairs.keys()}
    others = {j for j, f in enumerate(found) if j not in pairs.values() and _touches(f.mention, spans)}
    n["sentence_found"] += len(ours | others)


def _touches(mention: Span | None, spans: set[Span | None]) -> bool:
    return mention is not None and any(s is not None and s.start <= mention.start < s.end for s in spans)


def _figures(n: Counter[str]) -> Figures:
    return {
        "facts": n["facts"],
        "mention_recall": share(n["found"], n["facts"]),
        "entity_recall": share(n["same"], n["facts"]),
        "status_errors": share(n["turned"], n["facts"]),
        **{slot: share(n[slot], n["present"]) for slot in SLOTS},
        "size": share(n["size"], n["size_asked"]),
        "sentence_f1": share(2 * n["sentence_pairs"], n["sentence_gold"] + n["sentence_found"]),
    }


def registers(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """The records of each register that some name, in the order of the names."""
    for name in sorted({str(r["register"]) for r in records if r.get("register")}):
        yield name, [r for r in records if r.get("register") == name]
