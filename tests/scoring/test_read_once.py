"""Texts that come again in a run."""

from __future__ import annotations

import pytest

import cabs
from cabs.scoring import judge
from cabs.values import ParsedReport

TEXT, OTHER = "Small left pleural effusion.", "No pneumothorax. Small left pleural effusion."
PAIRS = [(TEXT, OTHER), (TEXT, TEXT), (OTHER, TEXT)]


def test_the_rules_read_each_text_once_and_say_what_they_say_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = [cabs.score([pair]).reports[0] for pair in PAIRS]
    asked: list[str] = []

    def counting(text: str, *, ontology: cabs.Ontology) -> ParsedReport:
        asked.append(text)
        return cabs.parse(text, ontology=ontology)

    monkeypatch.setattr(judge, "parse", counting)
    together = cabs.score(PAIRS).reports
    assert asked == [TEXT, OTHER]
    assert [(r.counts, r.errors, r.reference, r.prediction) for r in together] == [
        (r.counts, r.errors, r.reference, r.prediction) for r in apart
    ]


def test_another_parser_is_asked_each_time() -> None:
    asked: list[str] = []

    def own(text: str) -> ParsedReport:
        asked.append(text)
        return cabs.parse(text)

    cabs.score(PAIRS, parser=own)
    assert asked == [text for pair in PAIRS for text in pair]
