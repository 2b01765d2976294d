"""Texts of answers → objects, and objects → what holds of them."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.llm.extraction import extraction
from cabs.llm.failure import RefusedError
from cabs.llm.said import object_in
from cabs.llm.terms import Terms, terms_of
from cabs.values import OTHER, Span

TEXT = "FINDINGS: There is a 9 mm nodule in the right upper lobe.  Small left\npleural effusion. The liver is normal.\nTECHNIQUE: CT of the chest shows a nodule."  # noqa: E501
A = frozenset("a")


@pytest.fixture(scope="module")
def terms(ontology) -> Terms:
    return terms_of(ontology)


@pytest.mark.parametrize(
    "said",
    [
        '{"a": 1}', '  {"a": 1}\n', '```json\n{"a": 1}\n```', 'Sure: {"a": 1} Bye {now}.',
        '<think>{"a": 2}</think>{"a": 1}', '{"b": 1} {"a": 1}', '{not json} {"a": 1}',
    ],
)  # fmt: skip
def test_one_object_is_found_whatever_stands_around_it(said: str) -> None:
    assert object_in(said, A) == {"a": 1}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "empty"), ("<think>hm</think> ", "empty"), ("null", "0 objects"), ("[1]", "0 objects"),
        ('{"b": 1}', "0 objects"), ('{"a": 1', "0 objects"), ('{"a": 1} {"a": 1}', "2 objects"),
        ('{"a": 1, "a": 2}', "a name twice"),
        ('{"a": NaN}', "NaN"), ('{"a":' * 5000, "nested too deeply|0 objects"), ("x" * 1_000_001, "more than"),
        ('{"a": ' + "9" * 5000 + "}", "0 objects"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(said: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        object_in(said, A)


@given(st.text(alphabet='{}[]":,\\ a1é\ud800', max_size=60))
def test_no_text_crashes_the_reader(said: str) -> None:
    with suppress(RefusedError):
        assert "a" in object_in(said, A)


def fact(**changes: Any) -> dict[str, Any]:
    usual = {
        "name": "pulmonary nodule", "status": "present", "organ": "lung", "location": "right upper lobe",
        "side": "right", "attributes": [{"kind": "size", "text": "9 mm"}], "certainty": "definite", "mention": "nodule",
        "evidence": "There is a 9 mm nodule in the right upper lobe.",
    }  # fmt: skip
    return {**usual, **changes}


def said(*facts: dict[str, Any], normal: tuple[dict[str, Any], ...] = ()) -> str:
    return json.dumps({"facts": list(facts), "normal": list(normal)})


LIVER = {"organ": "liver", "evidence": "The liver is normal."}


def test_a_good_answer_becomes_facts_with_their_places(terms: Terms) -> None:
    report = extraction(said(fact(), normal=(LIVER,)), TEXT, terms)
    (found,) = report.facts
    assert (found.entity, found.organ, found.section) == ("pulmonary_nodule", "lung", "findings")
    assert TEXT[slice(*found.evidence[0])] == "There is a 9 mm nodule in the right upper lobe."
    assert TEXT[slice(*found.mention)] == "nodule"
    assert found.attributes[0].mm == (9.0,)
    assert [n.organ for n in report.normal] == ["liver"]
    assert report.read
    assert report.issues == ()


def test_blanks_of_a_quote_are_any_blanks(terms: Terms) -> None:
    made = fact(
        name="pleural effusion", organ="pleura", location="", evidence="Small left pleural effusion.", attributes=[]
    )
    (found,) = extraction(said(made), TEXT, terms).facts
    assert TEXT[slice(*found.evidence[0])] == "Small left\npleural effusion."


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"evidence": "There is a 9 mm mass in the right upper lobe."}, "not_verbatim"),
        ({"evidence": ""}, "not_verbatim"),
        ({"evidence": "CT of the chest shows a nodule."}, "outside_sections"),
    ],
)
def test_a_fact_without_good_evidence_is_refused_and_counted(terms: Terms, changes: dict[str, Any], code: str) -> None:
    report = extraction(said(fact(**changes), fact()), TEXT, terms)
    assert len(report.facts) == 1
    assert [issue.code for issue in report.issues] == [code]


@pytest.mark.parametrize(
    ("changes", "code", "slot"),
    [
        ({"organ": "spleeen"}, "unknown_organ", None),
        ({"attributes": [{"kind": "colour", "text": "9 mm"}]}, "unknown_attribute", None),
        ({"attributes": [{"kind": "size", "text": "19 mm"}]}, "slot_not_verbatim", None),
        ({"location": "left lower lobe"}, "slot_not_verbatim", None),
    ],
)
def test_a_slot_that_does_not_hold_is_dropped_and_counted(
    terms: Terms, changes: dict[str, Any], code: str, slot: None
) -> None:
    report = extraction(said(fact(**changes)), TEXT, terms)
    assert len(report.facts) == 1
    assert [issue.code for issue in report.issues] == [code]
    assert not any(a.kind == "colour" or a.mm == (19.0,) for a in report.facts[0].attributes)


def test_organs_are_known_by_any_of_their_names(terms: Terms) -> None:
    for spelled in ("lung", "Lungs", " LUNG "):
        (found,) = extraction(said(fact(organ=spelled)), TEXT, terms).facts
        assert found.organ == "lung", spelled


def test_what_the_ontology_lacks_keeps_its_name(terms: Terms) -> None:
    text = "There is scalloping of the endplates."
    (found,) = extraction(said(fact(name="endplate scalloping", organ="spine", location="", side="unstated",
                                    attributes=[], mention="", evidence=text)), text, terms).facts  # fmt: skip
    assert (found.entity, found.name, found.mention) == (OTHER, "endplate scalloping", Span(0, len(text)))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (said(), "lists nothing for a report that states something"),
        (said(fact(evidence="no such words")), "none of its 1 quotes"),
        (said(fact(status="maybe")), "facts.0.status"),
        (said(fact(name="")), "facts.0.name"),
        (said(fact(name=5)), "facts.0.name"),
        (said(fact(attributes="9 mm")), "facts.0.attributes"),
        (said(fact(side=None)), "facts.0.side"),
        (said(fact(note="x")), "facts.0.note"),
        (said(*[fact()] * 200), "facts: List should have at most"),
        (said(fact(name="a\ud800")), "half a character|name"),
        (said(fact(name="a\0")), "NUL"),
        ('{"facts": []}', "0 objects"),
    ],
)
def test_an_answer_that_breaks_the_protocol_is_refused(terms: Terms, answer: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why) as error:
        extraction(answer, TEXT, terms)
    assert "nodule" not in str(error.value), "reasons quote no report"


EFFUSION = {
    "name": "pleural effusion", "organ": "pleura", "location": "", "side": "unstated", "attributes": [], "mention": "",
    "evidence": "Pleural effusion.",
}  # fmt: skip


def test_places_and_attributes_are_in_the_words_of_the_text(terms: Terms) -> None:
    shouted = fact(location="Right Upper\tLOBE", attributes=[{"kind": "size", "text": "9 MM"}])
    (found,) = extraction(said(shouted), TEXT, terms).facts
    assert [a.text for a in found.attributes if a.kind == "size"] == ["9 mm"]
    (same,) = extraction(said(fact()), TEXT, terms).facts
    assert found.location == same.location


def test_an_attribute_keeps_the_line_break_of_the_text(terms: Terms) -> None:
    text = TEXT.replace("9 mm nodule", "9\nmm nodule")
    assert text != TEXT
    said_so = fact(evidence="There is a 9 mm nodule in the right upper lobe.")
    (found,) = extraction(said(said_so), text, terms).facts
    assert [(a.text, a.mm) for a in found.attributes if a.kind == "size"] == [("9\nmm", (9.0,))]


def test_a_repeated_sentence_is_found_where_the_report_is_read_and_each_time_anew(terms: Terms) -> None:
    text = "HISTORY: Pleural effusion.\nFINDINGS: Pleural effusion.\nIMPRESSION: Pleural effusion."
    once, twice = (extraction(said(*[fact(**EFFUSION)] * n), text, terms).facts for n in (1, 2))
    assert [found.section for found in once] == ["findings"]
    assert [found.section for found in twice] == ["findings", "impression"]


def test_an_answer_that_quotes_the_history_alone_is_refused(terms: Terms) -> None:
    with pytest.raises(RefusedError, match="none of its 1 quotes"):
        extraction(said(fact(**EFFUSION)), "HISTORY: Pleural effusion.\nFINDINGS: No fracture.", terms)


def test_nothing_said_of_a_text_that_says_nothing_is_unread(terms: Terms) -> None:
    report = extraction(said(), "Lorem ipsum dolor.", terms)
    assert (report.read, report.facts, [i.code for i in report.issues]) == (False, (), ["unread"])
