"""Generated reports with exact truth: the primary tumour's lobe and size, the stations of lymph nodes.

Lobe and size: a present fact of the lung that is a nodule, a mass or a cancer has exactly this lobe and side; has this
size as its largest axis; and `primary`, both in one fact. Station: a present fact has exactly the place of this
station (nodes of 10 mm and more; smaller ones are no facts). Site: a present metastasis of the organ of this site.
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
from benchmarks.rooms.reading import present
from benchmarks.rooms.targets import stated, targets
from cabs.parsing.places import Where
from cabs.scoring.quoted import QuoteReader
from cabs.values import Fact

CROSSWALK = "SynthRad truth"
LUNG = "lung"
NODE_MM = 10
TOLERANCE_MM = 0.5
Check = tuple[str, str, bool]


def reports(path: Path) -> list[Record]:
    """The generated reports with their truth."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def measure(records: Sequence[Record]) -> Measured:
    """The share of each kind of truth that is read."""
    asked, right = Counter[str](), Counter[str]()
    mistakes: list[Mistake] = []
    for record in records:
        for kind, what, agrees in checks(record):
            asked[kind] += 1
            right[kind] += agrees
            if not agrees:
                mistakes.append(Mistake("synthrad", kind, record["id"], what, record["report"]))
    figures: Figures = {"reports": len(records)}
    for kind in sorted(asked):
        figures[kind] = share(right[kind], asked[kind])
        figures[f"{kind}_asked"] = asked[kind]
    return figures, mistakes


def checks(record: Record) -> Iterator[Check]:
    """(kind, truth in words, whether the facts say so) for everything that is known about a report."""
    facts, truth = present(record["report"]), record["gold"]
    if truth["primary"]:
        yield from _primary(truth["primary"], facts)
    for node in truth["nodes"]:
        if node["short_axis_mm"] >= NODE_MM:
            yield "station", node["station"], any(_at(fact, where(f"station {node['station']}")) for fact in facts)
    for site in truth["mets"]:
        organ = where(site["site"].replace("_", " ")).organ
        if organ:
            spread = stated(facts, _ids("mets"))
            yield "site", site["site"], any(fact.organ == organ for fact in spread)


def _primary(primary: Record, facts: Sequence[Fact]) -> Iterator[Check]:
    lesions = [fact for fact in stated(facts, _ids("primary")) if fact.organ == LUNG]
    lobe = [_at(fact, where(primary["lobe"])) for fact in lesions]
    size = [_measures(fact, primary["size_mm"]) for fact in lesions]
    yield "lobe", primary["lobe"], any(lobe)
    yield "size", f"{primary['size_mm']} mm", any(size)
    yield "primary", f"{primary['lobe']} {primary['size_mm']} mm", any(a and b for a, b in zip(lobe, size, strict=True))


def _at(fact: Fact, place: Where) -> bool:
    return fact.location.ids == place.ids and fact.side == place.side


def _measures(fact: Fact, mm: float) -> bool:
    return any(abs(a.mm[0] - mm) <= TOLERANCE_MM for a in fact.attributes if a.mm)


@lru_cache(maxsize=1)
def _reader() -> QuoteReader:
    return QuoteReader(cabs.load_ontology())


@lru_cache(maxsize=1_000)
def where(words: str) -> Where:
    """The place that some words name."""
    return _reader().where((words,))


def _ids(kind: str) -> tuple[str, ...]:
    return targets(CROSSWALK)[kind]
