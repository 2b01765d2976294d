"""Facts survive the way through JSON, and their words can be taken out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError
from cabs.io.facts import fact_without_text, report_from_json, report_to_json, without_text
from cabs.values import Attribute, Fact, Issue, Location, Normal, ParsedReport, Span

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
spans = st.tuples(st.integers(0, 99), st.integers(0, 99)).map(lambda p: Span(min(p), sum(p)))
sizes = st.lists(st.floats(0, 500), min_size=1, max_size=3).map(tuple)
attributes = st.one_of(
    st.builds(Attribute, kind=words, text=words, value=st.none() | words),
    st.builds(Attribute, kind=st.just("size"), text=words, mm=sizes),
)
facts = st.builds(
    Fact,
    section=st.sampled_from(["findings", "impression"]),
    status=st.sampled_from(["present", "absent"]),
    entity=words,
    kind=st.sampled_from(["abnormality", "device", "postoperative"]),
    name=words,
    organ=st.none() | words,
    side=st.sampled_from([None, "right", "left", "bilateral"]),
    location=st.builds(Location, words, st.lists(words, max_size=2).map(tuple)),
    attributes=st.lists(attributes, max_size=3).map(tuple),
    certainty=st.sampled_from(["definite", "possible"]),
    mention=spans,
    evidence=st.lists(spans, max_size=3).map(tuple),
)
reports = st.builds(
    ParsedReport,
    facts=st.lists(facts, max_size=3).map(tuple),
    normal=st.lists(st.builds(Normal, words, spans), max_size=2).map(tuple),
    read=st.booleans(),
    issues=st.lists(st.builds(Issue, words, words, st.none() | spans), max_size=2).map(tuple),
)


@given(reports)
def test_reading_back_gives_the_same_report(report: ParsedReport) -> None:
    text = json.dumps(report_to_json(report))
    assert report_from_json(json.loads(text), "here") == report


FACT = Fact(
    "findings",
    "present",
    "other",
    "abnormality",
    "secret name",
    "lung",
    "left",
    Location("secret place", ("lung",)),
    (Attribute("size", "secret 5 mm", None, (5.0,)), Attribute("margin", "secret", "spiculated")),
    "definite",
    Span(3, 9),
    (Span(0, 20),),
)


def test_the_object_of_a_fact() -> None:
    value = report_to_json(ParsedReport((FACT,), (), True))["facts"][0]
    assert list(value) == [
        "section",
        "status",
        "entity",
        "kind",
        "name",
        "organ",
        "side",
        "location",
        "attributes",
        "certainty",
        "likelihood",
        "mention",
        "evidence",
    ]
    assert value["attributes"] == [
        {"kind": "size", "text": "secret 5 mm", "value": [5.0], "unit": "mm"},
        {"kind": "margin", "text": "secret", "value": "spiculated", "unit": None},
    ]
    assert (value["mention"], value["evidence"]) == ({"start": 3, "end": 9}, [{"start": 0, "end": 20}])


def test_without_text_no_word_of_the_report_is_left() -> None:
    report = ParsedReport((FACT,), (Normal("lung", Span(0, 1)),), True, (Issue("code", "secret message"),))
    assert "secret" not in json.dumps(report_to_json(without_text(report, lambda entity: entity)))
    kept = fact_without_text(FACT, str.upper)
    assert kept.name == "OTHER"
    assert (kept.location.ids, kept.attributes[0].mm, kept.attributes[1].value) == (
        ("lung",),
        (5.0,),
        "spiculated",
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "here"}, "'status' is 'here'"),
        ({"side": "top"}, "'side' is 'top'"),
        ({"mention": {"start": 5, "end": 2}}, "a span is"),
        ({"mention": None}, "an object expected, found null"),
        ({"evidence": {}}, "a list expected"),
        ({"attributes": [{"kind": "size", "text": "", "value": ["x"]}]}, "a list of millimetres"),
        ({"attributes": [{"kind": "size", "text": "", "value": 3}]}, "value is a number"),
        ({"location": {"ids": [1]}}, "'ids' is a list of texts"),
        ({"name": 3}, "'name' holds a number"),
    ],
)
def test_a_bad_fact_is_named(change: dict[str, object], words: str) -> None:
    good = report_to_json(ParsedReport((FACT,), (), True))
    bad = {**good, "facts": [good["facts"][0], {**good["facts"][0], **change}]}
    with pytest.raises(InputError) as caught:
        report_from_json(bad, "f.jsonl:4")
    assert words in caught.value.message
    assert caught.value.place.startswith("f.jsonl:4: facts[1]")


def test_an_empty_list_of_facts_is_a_report_that_was_read() -> None:
    assert report_from_json({"facts": []}, "here").read
    assert not report_from_json({"facts": [], "read": False}, "here").read
    with pytest.raises(InputError, match="'read' holds a number"):
        report_from_json({"facts": [], "read": 1}, "here")
