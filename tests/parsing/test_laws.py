"""What must hold of every parse, whatever the text."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabs.ontology import load_ontology
from cabs.parsing import RulesParser, parse
from cabs.parsing.sentences import LONGEST_SENTENCE, sentences
from cabs.values import Fact, ParsedReport, Span

GOLD = Path(__file__).parents[2] / "benchmarks" / "gold"
REPORTS = [
    json.loads(line)["text"]
    for name in ("dev_chest", "dev_abdomen", "dev_normal")
    for line in (GOLD / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]
WORDS = [
    *("no", "a", "the", "small", "left", "right", "pleural", "effusion", "pneumothorax", "nodule", "mass", "liver"),
    *("kidney", "in", "of", "and", "or", ",", ".", ";", ":", "but", "with", "not seen", "is", "are", "enlarged"),
    *("5 mm", "cyst", "likely", "versus", "new", "stable", "previously", "Lungs:", "IMPRESSION:", "\n"),
]


def bare(report: ParsedReport) -> list[Fact]:
    """The facts without their places in the text and the letters of their words."""
    nowhere = Span(0, 0)
    return [
        replace(
            fact,
            mention=nowhere,
            evidence=(nowhere,) * len(fact.evidence),
            location=replace(fact.location, text=" ".join(fact.location.text.lower().split())),
            attributes=tuple(replace(a, text=" ".join(a.text.lower().split())) for a in fact.attributes),
        )
        for fact in report.facts
    ]


@pytest.mark.parametrize("text", REPORTS[::4])
def test_evidence_is_verbatim(text: str) -> None:
    for fact in parse(text).facts:
        assert text[fact.mention.start : fact.mention.end].strip()
        for span in fact.evidence:
            assert 0 <= span.start < span.end <= len(text)
        assert any(e.start <= fact.mention.start and fact.mention.end <= e.end for e in fact.evidence)
        for attribute in fact.attributes:
            assert attribute.text in text


@pytest.mark.parametrize("text", REPORTS[::3])
def test_line_ends_and_spacing_do_not_matter(text: str) -> None:
    facts = bare(parse(text))
    assert bare(parse(text.replace("\n", "\r\n"))) == facts
    assert bare(parse(text.replace(" ", "  "))) == facts
    assert bare(parse("\n\n" + text + "\n \n")) == facts


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_case_does_not_matter(change: object) -> None:
    text = (
        "FINDINGS: There is a 5 mm nodule in the right upper lobe. No pleural effusion or pneumothorax. "
        "The spleen is enlarged.\nIMPRESSION: Likely granuloma. No PE. COPD."
    )
    assert bare(parse(change(text))) == bare(parse(text))  # type: ignore[operator]


def test_order_of_paragraphs_does_not_matter() -> None:
    paragraphs = [
        "Small left pleural effusion.",
        "The spleen is enlarged.",
        "No pneumothorax.",
        "Cyst in the right kidney, 2 cm.",
    ]
    facts = bare(parse("\n\n".join(paragraphs)))
    turned = bare(parse("\n\n".join(reversed(paragraphs))))
    assert sorted(map(repr, facts)) == sorted(map(repr, turned))


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_any_words_parse(text: str) -> None:
    report = parse(text)
    assert report.read == bool(report.facts or report.normal)
    assert bool(report.issues) != report.read
    for fact in report.facts:
        assert text[fact.mention.start : fact.mention.end]


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_parses(text: str) -> None:
    assert parse(text) == parse(text)


def test_empty_is_unread() -> None:
    report = parse("")
    assert not report.read
    assert [issue.code for issue in report.issues] == ["empty"]


def test_other_languages_are_unread() -> None:
    report = parse("Im linken Oberlappen zeigt sich nichts Besonderes, sonst alles wie immer.")
    assert not report.read
    assert [issue.code for issue in report.issues] == ["unread"]


def test_a_cache_changes_nothing() -> None:
    ontology = load_ontology()
    small, large = RulesParser(ontology, cached_sentences=1), RulesParser(ontology)
    for text in REPORTS[:6]:
        assert small.parse(text) == large.parse(text) == large.parse(text)


def test_two_processes_and_hash_seeds_agree() -> None:
    program = (
        "import sys, cabs.parsing, hashlib;"
        "print(hashlib.sha256(repr(cabs.parsing.parse(sys.stdin.read())).encode()).hexdigest())"
    )
    text = "\n".join(REPORTS[:8])
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=text,
            text=True,
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": str(Path(__file__).parents[2])},
        ).stdout
        for seed in ("0", "1")
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    "unit", ["nodule, effusion, ", "nodule and ", "no ", "likely ", "liver and ", "a:", "((", "5 mm ", "nodule\n"]
)
def test_a_repeating_model_is_read_like_any_other(unit: str) -> None:
    """What a model repeats without end neither stops the parser nor goes beyond its text."""
    text = unit * 3000
    for fact in parse(text).facts:
        assert 0 <= fact.mention.start < fact.mention.end <= len(text)


def test_the_work_on_a_sentence_is_bounded() -> None:
    """Parts of a bounded length: the time for a report without sentence marks grows with its length alone."""
    text = "no effusion and a small nodule of 5 mm " * 2000
    parts = sentences(text, 0, len(text), lambda words, behind: False)
    assert all(part.end - part.start <= LONGEST_SENTENCE for part in parts)
    assert "".join(text[p.start : p.end].replace(" ", "") for p in parts) == text.replace(" ", "")
