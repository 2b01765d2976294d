"""Reports that no person wrote: read in a time that grows with their length alone."""

from __future__ import annotations

import time

import pytest

from benchmarks.fuzz.units import UNITS
from cabs.ontology import load_ontology
from cabs.parsing import RulesParser

SHORT, LONG = 10_000, 40_000
MOST = 10.0
FLOOR = 0.2
ENDS = ("", "\0", "#", " effusion.")


PARSER = RulesParser(load_ontology(), cached_sentences=1)


def grows(unit: str, end: str, start: str = "") -> bool:
    """Whether four times the text takes far more than four times the processor's time, each time that it is tried."""
    short, long = (start + unit * (size // len(unit)) + end for size in (SHORT, LONG))
    return all((took := measured(long)) > FLOOR and took > MOST * measured(short) for _ in range(3))


def measured(text: str) -> float:
    begun = time.process_time()
    report = PARSER.parse(text)
    took = time.process_time() - begun
    assert all(0 <= s.start < s.end <= len(text) for fact in report.facts for s in (fact.mention, *fact.evidence))
    assert report == PARSER.parse(text)
    return took


@pytest.mark.parametrize("name", UNITS)
def test_the_time_for_a_report_grows_with_its_length_alone(name: str) -> None:
    assert not [end for end in ENDS if grows(UNITS[name], end)]


@pytest.mark.parametrize("unit", ["\n", "a\n", "word ", "x. "])
def test_the_time_for_a_section_grows_with_its_length_alone(unit: str) -> None:
    assert not grows(unit, "", "TECHNIQUE:")


def test_a_hundred_thousand_headings() -> None:
    text = "IMPRESSION:\n" * 100_000
    assert not PARSER.parse(text).read
