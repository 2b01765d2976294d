"""Generated reports with exact truth: the primary tumour's lobe and size, the stations of lymph nodes.

Lobe and size: a present fact of the lung that is a lesion of the crosswalk's kinds has this lobe and side, and no other
place of the lung; has this size as its largest axis; and `primary`, both in one fact. Station: a present fact of lymph
nodes has the place and side of this station (nodes of 10 mm and more; smaller ones are no facts). Site: a present
metastasis of the organ of this site.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cabs
from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Figures, Measured, Record
from benchmarks.rooms.ratios import share
from benchmarks.rooms.reading import present, quote, quotes
from benchmarks.rooms.targets import stated, targets
from cabs.parsing.places import Where
from cabs.values import Fact, Side

CROSSWALK = "SynthRad truth"
LUNG = "lung"
LYMPH_NODE = "lymph_node"
NODE_MM = 10
SIDES: dict[str, Side] = {"R": "right", "L": "left"}
TOLERANCE_MM = 0.5
Check = tuple[str, str, bool, list[Fact]]


def reports(path: Path) -> list[Record]:
    """The generated reports with their truth."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def measure(records: Sequence[Record]) -> Measured:
    """The share of each kind of truth that is read."""
    asked, right = Counter[str](), Counter[str]()
    mistakes: list[Mistake] = []
    for record in records:
        for kind, what, agrees, read_as in checks(record):
            asked[kind] += 1
            right[kind] += agrees
            if not agrees:
                words = " | ".join(dict.fromkeys(quote(record["report"], fact) for fact in read_as))
                mistakes.append(Mistake("synthrad", kind, record["id"], what, words))
    figures: Figures = {"reports": len(records)}
    for kind in sorted(asked):
        figures[kind] = share(right[kind], asked[kind])
        figures[f"{kind}_asked"] = asked[kind]
    return figures, mistakes


def checks(record: Record) -> Iterator[Check]:
    """(kind, truth in words, whether the facts say so, the facts asked) for all that is known about a report."""
    facts, truth = present(record["report"]), record["gold"]
    if truth["primary"]:
        yield from _primary(truth["primary"], facts)
    for node in truth["nodes"]:
        if node["short_axis_mm"] >= NODE_MM:
            nodes = [fact for fact in facts if fact.organ == LYMPH_NODE]
            yield "station", node["station"], any(_in_station(fact, node["station"]) for fact in nodes), nodes
    for site in truth["mets"]:
        organ = where(site["site"].replace("_", " ")).organ
        if organ:
            spread = stated(facts, _ids("mets"))
            yield "site", site["site"], any(fact.organ == organ for fact in spread), spread


def _primary(primary: Record, facts: Sequence[Fact]) -> Iterator[Check]:
    lesions = [fact for fact in stated(facts, _ids("primary")) if fact.organ == LUNG]
    lobe = [_at(fact, where(primary["lobe"])) for fact in lesions]
    size = [_measures(fact, primary["size_mm"]) for fact in lesions]
    yield "lobe", primary["lobe"], any(lobe), lesions
    yield "size", f"{primary['size_mm']} mm", any(size), lesions
    both = any(a and b for a, b in zip(lobe, size, strict=True))
    yield "primary", f"{primary['lobe']} {primary['size_mm']} mm", both, lesions


def _at(fact: Fact, place: Where) -> bool:
    """Whether a fact lies at a place, and nowhere else in its organ; never at words that name none."""
    ontology = cabs.load_ontology()
    inside = [id for id in fact.location.ids if ontology.organ_of(id) == place.organ]
    return bool(place.ids) and tuple(inside) == place.ids and fact.side == place.side


def _in_station(fact: Fact, station: str) -> bool:
    """Whether a fact lies in a station; its last letter is its side. One fact may tell several stations: the side of
    the station's own structure counts, not that of all of them together."""
    place = where(f"station {station}")
    return not set(place.ids).isdisjoint(fact.location.ids) or _at(
        fact, place._replace(side=SIDES.get(station[-1], place.side))
    )


def _measures(fact: Fact, mm: float) -> bool:
    return any(abs(a.mm[0] - mm) <= TOLERANCE_MM for a in fact.attributes if a.mm)


@lru_cache(maxsize=1_000)
def where(words: str) -> Where:
    """The place that some words name."""
    return quotes().where((words,))


def _ids(kind: str) -> tuple[str, ...]:
    return targets(CROSSWALK)[kind]
