"""Quoted facts, as annotators and other tools write them, become facts with ids and positions."""

from __future__ import annotations

import pytest

from cabs.io.quoted import quoted_report
from cabs.ontology import Ontology, load_ontology
from cabs.scoring import align
from cabs.scoring.quoted import NO_SPAN, QuoteReader
from cabs.values import OTHER, ParsedReport, QuotedFact, QuotedReport


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return load_ontology()


@pytest.fixture(scope="module")
def reader(ontology: Ontology) -> QuoteReader:
    return QuoteReader(ontology)


def quoted(name: str, organ: str | None = None, location: str = "", attributes: str = "", **more: str) -> QuotedFact:
    return QuotedFact(
        "findings",
        "present",
        name,
        organ,
        (location,) if location else (),
        None,
        ((None, attributes),) if attributes else (),
        "definite",
        more.get("mention", ""),
        more.get("evidence", ""),
    )


def test_the_entities_of_tif_grpo(reader: QuoteReader) -> None:
    text = "A 9 mm spiculated nodule is present in the right upper lobe. A small left pleural effusion."
    facts = (
        quoted("pulmonary nodule", "lung_parenchyma", "right upper lobe", "9 mm, spiculated", evidence=text[:60]),
        quoted("pleural effusion", "pleura", "left", "small", evidence=text[61:]),
        quoted("hepatic cyst", "other", "right hepatic lobe", "12 mm, simple"),
    )
    nodule, effusion, cyst = reader.read(QuotedReport(facts, text, "tif")).facts
    assert (nodule.organ, nodule.side, nodule.location.ids) == ("lung", "right", ("rul",))
    assert [(a.kind, a.value, a.mm) for a in nodule.attributes] == [
        ("size", None, (9.0,)),
        ("margin", "spiculated", ()),
    ]
    assert text[slice(*nodule.evidence[0])] == text[:60]
    assert (effusion.organ, effusion.side) == ("pleura", "left")
    assert (cyst.organ, cyst.side, cyst.mention, cyst.evidence) == ("liver", "right", NO_SPAN, ())


def test_the_same_facts_as_names_and_as_text_meet(ontology: Ontology) -> None:
    text = "There is a 9 mm spiculated nodule in the right upper lobe."
    entities = QuotedReport(
        (quoted("pulmonary nodule", "lung_parenchyma", "right upper lobe", "9 mm, spiculated"),), None, "tif"
    )
    alignment = align(entities, text)
    assert [pair.consistent for pair in alignment.hits] == [True]
    assert (alignment.missed, alignment.hallucinated) == ((), ())


def test_a_name_that_the_ontology_does_not_know_stays_a_name(reader: QuoteReader) -> None:
    (fact,) = reader.read(QuotedReport((quoted("zebra sign", "lung"),), None)).facts
    assert (fact.entity, fact.name, fact.organ, fact.kind) == (OTHER, "zebra sign", "lung", "abnormality")


def test_gold_facts_keep_their_kinds_and_their_words(reader: QuoteReader) -> None:
    value = {
        "text": "Two nodules. No effusion. Two nodules.",
        "facts": [
            {
                "section": "findings",
                "status": "present",
                "name": "pulmonary nodule",
                "mention": "nodules",
                "sentence": "Two nodules.",
                "organ": "lung",
                "location": "",
                "side": "left",
                "attributes": [{"kind": "count", "text": "Two"}, {"kind": "other", "text": "odd"}],
            },
            {
                "section": "findings",
                "status": "absent",
                "name": "pleural effusion",
                "mention": "effusion",
                "sentence": "No effusion.",
                "organ": "pleura",
            },
        ],
    }
    report = reader.read(quoted_report(value, "here"))
    nodule, effusion = report.facts
    assert report.read
    assert [(a.kind, a.text) for a in nodule.attributes] == [("count", "Two"), ("other", "odd")]
    assert (nodule.side, tuple(nodule.mention), effusion.status, tuple(effusion.mention)) == (
        "left",
        (4, 11),
        "absent",
        (16, 24),
    )


def test_a_quote_that_is_not_in_the_text_has_no_position_and_is_listed(reader: QuoteReader) -> None:
    report = reader.read(QuotedReport((quoted("pleural effusion", evidence="never said"),), "Another text."))
    assert [issue.code for issue in report.issues] == ["not_verbatim"]
    assert report.facts[0].evidence == ()


def test_an_annotated_report_without_facts_is_normal(reader: QuoteReader) -> None:
    assert reader.read(QuotedReport((), "Clear lungs.")) == ParsedReport(read=True)
