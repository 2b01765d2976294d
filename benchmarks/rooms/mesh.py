"""The human MeSH codes of reports against their facts, through the crosswalks of headings and of places.

A code ("Opacity/lung/base/left/mild") is read by the key of the crosswalk that shares its heading and the most of its
qualifiers. It is met where a present fact is of one of the key's entities, or below it. Recall: codes met / codes that
stand for entities, per heading and over all. Precision: present abnormalities of a listed entity that some code of the
report explains / all of these; per heading over the facts that its keys stand for. Hedged facts are left out of it,
since they are coded at one time and left out at another.

Of the codes that are met, and only where the code says so: the side agrees where a fact that meets the code has it, or
the facts together have it, or it is what all codes of the heading together say (right and left beside bilateral).
In an organ that has no right and left one (spine, mediastinum) a side is a direction, and is left out.
The place agrees where a fact lies within one of the ids of the qualifier, or in the organ that it names; a place that
belongs to the entity (the rib of a rib fracture) need not be stated.
Reports whose text was not coded are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cabs
from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Figures, Measured, Record
from benchmarks.rooms.ratios import share
from benchmarks.rooms.reading import abnormal, present, quote
from benchmarks.rooms.targets import stated, targets
from cabs.ontology.model import sides_of
from cabs.values import OTHER, Fact, Side

HEADINGS = "MeSH codes of IU X-ray"
PLACES = "MeSH places of IU X-ray"
UNCODED = "No Indexing"
SIDES: tuple[Side, ...] = ("right", "left", "bilateral")
FEWEST = 5
"""Headings with fewer codes have no row of their own."""

Code = Sequence[str]
Sides = frozenset[str]


@dataclass(slots=True)
class Tally:
    """What is counted, by what and heading."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, what: str, heading: str, right: bool) -> None:
        """One more of the kind, right or not."""
        self.counts[what, heading] += 1
        self.counts[f"{what} right", heading] += right

    def ratio(self, what: str, heading: str | None = None) -> float | None:
        """The right ones among them, of one heading or of all."""
        return share(self.number(f"{what} right", heading), self.number(what, heading))

    def number(self, what: str, heading: str | None = None) -> int:
        """How many were counted."""
        return sum(n for (kind, of), n in self.counts.items() if kind == what and heading in (None, of))


def measure(records: Sequence[Record]) -> Measured:
    """Figures over all codes and per heading of reports with `text` and `mesh`."""
    coded = [record for record in records if all(code[0] != UNCODED for code in record["mesh"])]
    tally = Tally()
    for record in coded:
        _codes(record, tally)
        _facts(record, tally)
    often = Counter({heading: n for (what, heading), n in tally.counts.items() if what == "code" and n >= FEWEST})
    rows = {heading: _row(tally, heading) for heading, _ in sorted(often.items(), key=lambda item: (-item[1], item[0]))}
    return {"reports": len(coded), **_row(tally), "headings": rows}, tally.mistakes


def _row(tally: Tally, heading: str | None = None) -> Figures:
    return {
        "codes": tally.number("code", heading),
        "recall": tally.ratio("code", heading),
        "precision": tally.ratio("fact", heading) if heading else tally.ratio("explained"),
        "side": tally.ratio("side", heading),
        "sided": tally.number("side", heading),
        "place": tally.ratio("place", heading),
        "placed": tally.number("place", heading),
    }


@lru_cache(maxsize=10_000)
def ids_of(code: tuple[str, ...]) -> tuple[str, ...]:
    """The entities that a code stands for; none for a heading that is no finding or not listed."""
    best: tuple[int, tuple[str, ...]] = (-1, ())
    for label, ids in targets(HEADINGS).items():
        heading, *qualifiers = label.split("/")
        if heading == code[0] and set(qualifiers) <= set(code[1:]) and len(qualifiers) > best[0]:
            best = (len(qualifiers), ids)
    return best[1]


def _codes(record: Record, tally: Tally) -> None:
    facts, text = present(record["text"]), record["text"]
    for code in record["mesh"]:
        ids = ids_of(tuple(code))
        if not ids:
            continue
        met = stated(facts, ids)
        tally.add("code", code[0], bool(met))
        if not met:
            tally.mistakes.append(Mistake("mesh", "missed", record["id"], "/".join(code), text))
            continue
        same = [other for other in record["mesh"] if other[0] == code[0]]
        _slot("side", record, code, met, _side_agrees(code, met, same), tally)
        _slot("place", record, code, met, _place_agrees(code, met), tally)


def _slot(what: str, record: Record, code: Code, met: list[Fact], right: bool | None, tally: Tally) -> None:
    if right is None:
        return
    tally.add(what, code[0], right)
    if not right:
        words = " | ".join(quote(record["text"], fact) for fact in met)
        tally.mistakes.append(Mistake("mesh", what, record["id"], "/".join(code), words))


def _sides(code: Code) -> Sides:
    return frozenset().union(*(sides_of(side) for side in SIDES if side in code))


def _side_agrees(code: Code, met: list[Fact], same: Iterable[Code]) -> bool | None:
    said = _sides(code)
    organs = cabs.load_ontology().organs
    paired = [fact for fact in met if fact.organ is None or organs[fact.organ].paired]
    if not said or not paired:
        return None
    each = [sides_of(fact.side) for fact in paired]
    together: Sides = frozenset().union(*each)
    all_codes: Sides = frozenset().union(*map(_sides, same))
    return said in each or said == together or all_codes in each


def _place_agrees(code: Code, met: list[Fact]) -> bool | None:
    walk = targets(PLACES)
    wanted = [walk[word] for word in code[1:] if walk.get(word)]
    if not wanted:
        return None
    return all(any(_lies(fact, ids) for fact in met) for ids in wanted)


def _lies(fact: Fact, ids: Iterable[str]) -> bool:
    """Whether a place of a fact, stated or in its entity, lies within one of these, or its organ is one of them."""
    ontology = cabs.load_ontology()
    own = () if fact.entity == OTHER else ontology.entity(fact.entity).places
    places = (*fact.location.ids, *own)
    return any(fact.organ == id or any(ontology.contains(id, place) for place in places) for id in ids)


def _facts(record: Record, tally: Tally) -> None:
    """Each abnormality of a listed entity: does a code of the report explain it?"""
    codes = [ids_of(tuple(code)) for code in record["mesh"]]
    for fact in abnormal(record["text"]):
        headings = _headings(fact.entity) if fact.certainty == "definite" else ()
        if not headings:
            continue
        right = any(stated([fact], ids) for ids in codes)
        tally.add("explained", "", right)
        for heading in headings:
            tally.add("fact", heading, right)
        if not right:
            tally.mistakes.append(Mistake("mesh", "extra", record["id"], fact.name, quote(record["text"], fact)))


@lru_cache(maxsize=10_000)
def _headings(entity: str) -> tuple[str, ...]:
    ontology = cabs.load_ontology()
    named = {label.split("/")[0] for label, ids in targets(HEADINGS).items() for id in ids if ontology.is_a(entity, id)}
    return tuple(sorted(named))
