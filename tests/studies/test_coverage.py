"""What a corpus says and the parser does not know."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.io.reports import ReportText
from cabs.ontology import load_ontology
from cabs.ontology.nearest import Nearest
from cabs.studies.coverage import Coverage, coverage

NOUN = "There is a zindle in the right upper lobe. No pleural effusion."
MODIFIER = "A blorptic nodule is seen in the left lung."
PREDICATE = "The liver is markedly frimbled. The spleen is normal."


def covered(*texts: str, **how: object) -> Coverage:
    reports = [ReportText(f"r{i}", text, f"line {i}") for i, text in enumerate(texts)]
    return coverage(reports, load_ontology(), **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "phrase", "role", "within", "facts"),
    [
        (NOUN, "zindle", "noun", "", 0),
        (MODIFIER, "blorptic", "modifier", "blorptic nodule", 1),
        (PREDICATE, "frimbled", "predicate", "markedly frimbled", 0),
        ("A small zindle arc is noted. ", "zindle arc", "noun", "small zindle arc", 0),
        ("There is mild zindling of the ureter.", "zindling", "noun", "mild zindling", 0),
        ("A nodule zindling the pleura.", None, "", "", 0),
        ("The zindle measures 12 mm on image XXXX-17.", "zindle", "noun", "", 0),
    ],
)
def test_phrases_and_their_roles(text: str, phrase: str | None, role: str, within: str, facts: int) -> None:
    found = covered(text)
    if phrase is None:
        assert found.phrases == ()
        return
    (row,) = found.phrases
    assert (row.phrase, row.role, row.within, row.with_fact) == (phrase, role, within, facts)
    assert (row.count, row.reports, row.example.id) == (1, 1, "r0")
    assert phrase in text[slice(*row.example.sentence)].lower()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The heart size is normal. The lungs are clear. Cardiomediastinal silhouette is within normal limits.",
        "TECHNIQUE: A zindle protocol was used.\nFINDINGS: No pleural effusion.",
        "There is a small left pleural effusion. Recommend a zindle follow-up in 3 months.",
        "Findings were discussed with the patient's physician over the telephone.",
    ],
)
def test_what_is_known_or_not_read_or_says_nothing_is_no_phrase(text: str) -> None:
    assert covered(text).phrases == ()


def test_sums() -> None:
    found = covered(NOUN, MODIFIER, PREDICATE, "zindle", "").explained
    assert (found.reports, found.unread) == (5, 2)
    assert (found.sentences, found.full, found.partly, found.none) == (6, 2, 3, 1)
    assert found.with_fact == 2
    assert found.words == found.words_explained + 4
    assert covered().explained.reports == 0


def test_spellings_are_one_phrase_and_the_most_frequent_is_shown() -> None:
    found = covered("Zindles are seen.", "A zindle is seen.", "Zindles are seen. Zindles persist.")
    (row,) = found.phrases
    assert (row.phrase, row.count, row.reports) == ("zindles", 4, 3)


def test_the_most_frequent_come_first_and_the_rest_is_counted() -> None:
    found = covered(NOUN, MODIFIER, NOUN, top=1)
    assert [row.phrase for row in found.phrases] == ["zindle"]
    assert found.different == 2
    assert [row.phrase for row in covered(NOUN, MODIFIER, roles=["modifier"]).phrases] == ["blorptic"]
    assert [row.phrase for row in covered(NOUN, MODIFIER, NOUN, least=2).phrases] == ["zindle"]


def test_without_text_only_shared_phrases_are_told() -> None:
    found = covered(*[NOUN] * 5, MODIFIER, text=False)
    (row,) = found.phrases
    assert (row.phrase, row.example.text, row.within) == ("zindle", "", "")
    assert "right upper" not in json.dumps(found.to_json())


def test_workers_change_nothing() -> None:
    assert covered(NOUN, MODIFIER, PREDICATE, workers=2) == covered(NOUN, MODIFIER, PREDICATE)


PIECES = ["zindle", "the", "nodule", "in", "left lung", "is", "mild", "no", ",", ".", "12 mm", "XXXX", "quickly", "\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_sums_and_spans_hold_for_any_text(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = covered(text)
    e = found.explained
    assert e.sentences == e.full + e.partly + e.none
    assert 0 <= e.words_explained <= e.words
    assert sum(row.count for row in found.phrases) <= pieces.count("zindle")
    assert bool(found.phrases) == (e.words_explained < e.words)
    for row in found.phrases:
        assert row.phrase in " ".join(text[slice(*row.example.sentence)].split()).lower()


def test_near_names_are_guarded() -> None:
    nearest = Nearest(load_ontology())
    near = nearest.of("pneumothroax")
    assert near is not None
    assert near.id == "pneumothorax"
    assert nearest.of("zindle") is None
    assert nearest.of("") is None
    for word in ("hypodensities", "intrahepatic"):
        near = nearest.of(word)
        opposite = word.replace("hypo", "hyper").replace("intra", "extra")
        assert near is None or opposite not in near.name
