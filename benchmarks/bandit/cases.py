"""Shipped reports → cases: a reference with section tags, cut into sentences, and the facts that it states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cabs
from benchmarks.bandit.data import HERE, Source, load
from benchmarks.corpora import records
from cabs.matching import Settings
from cabs.rewards.rules import rules_judge
from cabs.rewards.tags import SECTIONS
from cabs.studies.probes.cut import Cut, Cutter
from cabs.values import OTHER, Fact, ParsedReport, Section

ROOT = HERE.parent


@dataclass(frozen=True)
class Case:
    """A reference. `cuts`: each section in sentences. `facts`: how many there are to find, in canonical form."""

    id: str
    reference: str
    cuts: Mapping[Section, Cut]
    facts: int

    @property
    def normal(self) -> bool:
        """Nothing is to be found."""
        return self.facts == 0

    def stated(self, name: Section) -> tuple[Fact, ...]:
        """The present abnormalities of a section, as its text states them."""
        return findings(self.cuts[name])

    @property
    def entities(self) -> frozenset[str]:
        """The entities of its present abnormalities."""
        return frozenset(fact.entity for name in SECTIONS for fact in self.stated(name))


def findings(cut: Cut) -> tuple[Fact, ...]:
    """The present abnormalities that a text states."""
    return present(cut.facts)


def present(report: ParsedReport) -> tuple[Fact, ...]:
    """The present abnormalities of a report."""
    return tuple(f for f in report.facts if f.status == "present" and f.kind == "abnormality")


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    """The cases of the bandit, normal ones among them; a report that nothing is recognised in is none."""
    found = [case for source in load().references for case in _of(source)]
    return tuple(case for case in found if case is not None)


def _of(source: Source) -> Iterator[Case | None]:
    path = ROOT / source.file
    texts = {record["id"]: record.get("reference") or record["text"] for record in records(path)}
    kept = [(id, text) for id, text in texts.items() if len(text) <= load().longest]
    yield from (case_of(f"{Path(source.file).stem}:{id}", text) for id, text in kept[: source.most])


def case_of(id: str, text: str) -> Case | None:
    """A report as a case, its sections by its headings; None where nothing is recognised in it."""
    judge = rules_judge(None, Settings(scope="section"), None)
    sections = {name: judge.reader.by_headings(text).get(name, "").strip() for name in SECTIONS}
    reference = "".join(f"<{name}>{sections[name]}</{name}>" for name in SECTIONS)
    read = judge.reader.reference(reference).read
    if not read:
        return None
    facts = sum(fact.kind == "abnormality" for stated in read.values() for fact in stated.canonical.present)
    cutter = _cutter()
    return Case(id, reference, {name: cutter.cut(id, sections[name]) for name in SECTIONS}, facts)


@lru_cache(maxsize=1)
def _cutter() -> Cutter:
    return Cutter(cabs.load_ontology())


def frequent(among: Sequence[Case]) -> tuple[str, ...]:
    """The entities that the references state, the most frequent one first, then those of the label sets."""
    seen = Counter(entity for case in among for entity in sorted(case.entities) if entity != OTHER)
    ranked = sorted(seen, key=lambda entity: (-seen[entity], entity))
    known = cabs.load_ontology().entities.values()
    rest = [e.id for e in known if e.kind == "abnormality" and e.id not in seen]
    return (*ranked, *sorted(rest))
