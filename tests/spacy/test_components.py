"""The parser's steps in a spaCy pipeline: found by name, alone or in a row, positions as in `cabs.parse`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

import cabs

STEPS = ["cabs_sections", "cabs_sentences", "cabs_mentions", "cabs_statements", "cabs_facts"]
REPORT = """HISTORY: Cough.
FINDINGS: There is a 9 mm nodule in the right upper lobe, new since the prior study. No pleural effusion.
The liver is normal.
IMPRESSION: Right upper lobe nodule, possibly malignant."""


def pipeline(*names: str) -> Language:
    nlp = spacy.blank("en")
    for name in names:
        nlp.add_pipe(name)
    return nlp


def gold_texts(root: Path) -> list[str]:
    lines = (root / "benchmarks" / "gold" / "dev_gpt4.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


@pytest.fixture(scope="module")
def doc() -> Doc:
    return pipeline(*STEPS)(REPORT)


@pytest.mark.parametrize("names", [["cabs_facts"], STEPS, ["cabs_sections", "cabs_facts"]], ids="-".join)
def test_facts_are_those_of_parse(root: Path, names: list[str]) -> None:
    nlp = pipeline(*names)
    for text in [REPORT, "", "\n\n", "Bonjour.", *gold_texts(root)]:
        assert nlp(text)._.cabs_report == cabs.parse(text)


@pytest.mark.parametrize("name", STEPS)
def test_every_step_runs_alone(doc: Doc, name: str) -> None:
    alone = pipeline(name)(REPORT)
    assert getattr(alone._, name) == getattr(doc._, name) != ()
    assert alone.spans.keys() <= doc.spans.keys()


def test_sections_and_sentences(doc: Doc) -> None:
    words = {s.section: REPORT[s.start : s.end] for s in reversed(doc._.cabs_sentences)}
    assert words["findings"].startswith("There is a 9 mm nodule")
    assert words["impression"].startswith("Right upper lobe nodule")
    assert not [s for s in doc._.cabs_sentences if "Cough" in REPORT[s.start : s.end]]
    assert [s._.cabs_section for s in doc.spans["cabs_sentences"]] == [s.section for s in doc._.cabs_sentences]


def test_mentions_say_what_words_may_mean(doc: Doc) -> None:
    known = {REPORT[m.start : m.end]: m for m in doc._.cabs_mentions}
    assert known["nodule"].kind == "entity"
    assert known["9 mm"].ids == ("9 mm",)
    assert known["right upper lobe"].kind == "place"
    assert known["No"].kind == "cue"


def test_statements_carry_context(doc: Doc) -> None:
    stated = {REPORT[s.start : s.end]: s for s in doc._.cabs_statements}
    assert stated["pleural effusion"].status == "absent"
    assert stated["pleural effusion"].organ == "pleura"


def test_spans_know_their_facts(doc: Doc) -> None:
    (first, *_) = doc.spans["cabs_sentences"]
    (fact,) = first._.cabs_facts
    assert REPORT[slice(*fact.mention)] == "nodule"
    assert fact.side == "right"
    assert [span.label_ for span in doc.spans["cabs_facts"]] == [f.entity for f in doc._.cabs_facts]


def test_documents_can_be_saved_and_sent(doc: Doc) -> None:
    saved = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (loaded,) = DocBin().from_bytes(saved).get_docs(doc.vocab)
    assert loaded._.cabs_report == doc._.cabs_report
    assert loaded._.cabs_sentences == doc._.cabs_sentences


def test_a_pipeline_can_be_saved_with_its_ontology(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "entities"
    folder.mkdir(parents=True)
    term = "{id: own_finding, label: zorbic change, parent: mass, kind: abnormality, organs: [lung]}"
    (folder / "own.yaml").write_text(f"entities: [{term}]\n", encoding="utf-8")
    nlp = spacy.blank("en")
    nlp.add_pipe("cabs_facts", config={"extra": [str(tmp_path / "own")]})
    nlp.to_disk(tmp_path / "nlp")
    (fact,) = spacy.load(tmp_path / "nlp")("There is zorbic change.")._.cabs_facts
    assert fact.entity == "own_finding"


def test_abbreviations_need_their_extra() -> None:
    with pytest.raises(cabs.MissingExtraError, match="pip install 'scispacy"):
        pipeline("cabs_abbreviations")
