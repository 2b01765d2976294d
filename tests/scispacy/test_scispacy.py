"""The scispacy extra, in an environment of its own with numpy below 2; and the core beside it."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import numpy
import spacy

import cabs

ROOT = Path(__file__).resolve().parents[2]
REPORT = (
    "There is a solitary pulmonary nodule (SPN) in the right lung. The SPN measures 12 mm. "
    "Bilateral pleural effusions (PE). The PE on the left is small."
)


def facts(text: str, *before: str) -> list[tuple[str, str]]:
    nlp = spacy.blank("en")
    for name in (*before, "cabs_facts"):
        nlp.add_pipe(name)
    return [(fact.entity, text[slice(*fact.mention)]) for fact in nlp(text)._.cabs_facts]


def test_the_environment_is_the_old_one() -> None:
    assert int(version("numpy").split(".")[0]) < 2
    assert numpy.ones(3).sum() == 3


def test_defined_abbreviations_are_read_as_their_long_form() -> None:
    with_them, without = ({entity for entity, _ in facts(REPORT, *before)} for before in (["cabs_abbreviations"], []))
    assert with_them == {"pulmonary_nodule", "pleural_effusion"}
    assert "pulmonary_embolism" in without


def test_short_forms_are_found_in_order_and_saved() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("cabs_abbreviations")
    doc = nlp(REPORT)
    found = [(REPORT[a.start : a.end], a.long_form) for a in doc._.cabs_abbreviations]
    assert [short for short, _ in found] == ["SPN", "SPN", "PE", "PE"]
    assert found[0][1] == "solitary pulmonary nodule"
    assert doc.to_bytes()


def test_positions_are_those_of_the_report() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("cabs_abbreviations")
    nlp.add_pipe("cabs_facts")
    nodule, *effusions = nlp(REPORT)._.cabs_facts
    assert [REPORT[slice(*span)] for span in nodule.evidence] == [
        "There is a solitary pulmonary nodule (SPN) in the right lung.",
        "The SPN measures 12 mm.",
    ]
    assert [a.mm for a in nodule.attributes if a.mm] == [(12.0,)]
    assert {REPORT[slice(*fact.mention)] for fact in effusions} <= {"pleural effusions", "PE"}


def test_an_abbreviation_with_one_meaning_keeps_it() -> None:
    text = "There is a nodule of the right lung (RUL)."
    nlp = spacy.blank("en")
    nlp.add_pipe("cabs_abbreviations")
    assert nlp(text)._.cabs_abbreviations == ()


def test_the_core_scores_beside_it(tmp_path: Path) -> None:
    pairs = [
        ("Small left pleural effusion.", "There is a small left effusion."),
        ("No pneumothorax.", "Pneumonia."),
    ]
    result = cabs.score(pairs, output=tmp_path)
    assert result.counts.hits == 1
    assert (tmp_path / "results.json").is_file()
