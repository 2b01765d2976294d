"""Reports: sections, sentences, facts, pairs, names."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from benchmarks.fuzz.target import Run, Target, text_of
from benchmarks.llm.fuzz import PAIRS
from cabs.io.facts import report_from_json, report_to_json, within
from cabs.matching import Matcher
from cabs.metrics import count, score
from cabs.ontology import Ontology, load_ontology
from cabs.parsing import RulesParser
from cabs.parsing.sections import SectionFinder
from cabs.values import OTHER, ParsedReport

BORDER = "\x1e"
"""Between the two texts of a pair."""
TAKEN = 2000
"""Words of the ontology that are given to the fuzzer."""
ROLES = {"findings", "impression", "ignored"}
ODD = (
    "\n", "\r\n", "\n\n", ": ", "- ", "1. ", "5 mm", "5 x 4 cm", "<findings>", "</findings>", "\u202e", "\u200f",
    "\u0130", "\ufb01", "\U0001f600", "\u0e33", "\u2028", "#38", "3*4", "________", "[**Name**]", "&lt;", "S/P", "c/w",
)  # fmt: skip


def _sections(_folder: Path) -> Run:
    finder = SectionFinder(load_ontology())

    def run(data: bytes) -> None:
        text = text_of(data)
        found = finder.stretches(text)
        assert all(s.role in ROLES and 0 <= s.start < s.end <= len(text) for s in found), found
        assert all(a.end <= b.start for a, b in pairwise(found)), found

    return run


def _sentences(_folder: Path) -> Run:
    parser = RulesParser(load_ontology(), cached_sentences=1)

    def run(data: bytes) -> None:
        text = text_of(data)
        for stretch in parser.stretches(text):
            found = parser.sentences(text, stretch)
            assert all(stretch.start <= s.start < s.end <= stretch.end for s in found), found
            assert all(a.end <= b.start for a, b in pairwise(found)), found

    return run


def _parser(_folder: Path) -> Run:
    ontology = load_ontology()
    parser, cached = RulesParser(ontology, cached_sentences=1), RulesParser(ontology)

    def run(data: bytes) -> None:
        text = text_of(data)
        report = parser.parse(text)
        check_report(report, text, ontology)
        assert report == cached.parse(text)

    return run


def check_report(report: ParsedReport, text: str, ontology: Ontology) -> None:
    """See that a parsed report is of its text and its ontology. Raises AssertionError."""
    within(report, len(text), "fuzz")
    assert report.read == bool(report.facts or report.normal)
    assert report.read or report.issues
    for fact in report.facts:
        assert text[fact.mention.start : fact.mention.end].strip(), fact
        assert all(text[s.start : s.end].strip() for s in fact.evidence), fact
        assert any(s.start <= fact.mention.start and fact.mention.end <= s.end for s in fact.evidence), fact
        assert all(a.text in text for a in fact.attributes), fact
        assert fact.entity == OTHER or ontology.entity(fact.entity), fact
    assert all(text[n.span.start : n.span.end].strip() for n in report.normal)
    if not _broken(text):
        assert report_from_json(json.loads(json.dumps(report_to_json(report))), "fuzz") == report


def _broken(text: str) -> bool:
    """Whether no file could hold the text: readers refuse it."""
    return "\0" in text or any("\ud800" <= c <= "\udfff" for c in text)


def _pair(_folder: Path) -> Run:
    ontology = load_ontology()
    parser, matcher = RulesParser(ontology, cached_sentences=1), Matcher(ontology)

    def run(data: bytes) -> None:
        reference, _, prediction = text_of(data).partition(BORDER)
        aligned = matcher.align(parser.parse(reference), parser.parse(prediction))
        assert len(aligned.hits) + len(aligned.missed) == len(aligned.reference.present)
        assert len(aligned.hits) + len(aligned.hallucinated) == len(aligned.prediction.present)
        values = score(count(aligned, matcher))
        assert all(v is None or 0 <= v <= 1 for name, v in values.items() if not name.endswith("_per_100")), values

    return run


def _names(_folder: Path) -> Run:
    ontology = load_ontology()

    def run(data: bytes) -> None:
        found = ontology.resolve(text_of(data))
        assert found is None or ontology.entity(found)

    return run


def words() -> list[str]:
    """What reports are put together of: odd characters, and some of the forms of every kind that the ontology has."""
    ontology = load_ontology()
    forms = sorted(
        {form for entity in ontology.entities.values() for form in entity.forms}
        | {form for place in ontology.structures.values() for form in place.forms}
        | {form for rule in ontology.rules for form in rule.forms}
        | {heading for rule in ontology.section_rules for heading in rule.headings}
    )
    return [*ODD, *forms[:: max(1, len(forms) // TAKEN)]]


_SEEDS = tuple(text.encode() for pair in PAIRS for text in pair)

TARGETS = (
    Target("sections", _sections, lambda: _SEEDS, words, pumped=40_000),
    Target("sentences", _sentences, lambda: _SEEDS, words, pumped=20_000),
    Target("parser", _parser, lambda: _SEEDS, words, longest=2048, pumped=8_000),
    Target("pair", _pair, lambda: [BORDER.join(pair).encode() for pair in PAIRS], words, longest=2048, pumped=4_000),
    Target("names", _names, lambda: (b"cyst of the left kidney", b"hepatomegaly"), words, longest=512, pumped=2_000),
)
