"""The controls: what each says, and that it comes of the references alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cabs
from cabs.errors import SettingError
from cabs.scoring.judge import Judge, Plan
from cabs.studies.correlation.controls import NAMES, Control, Maker, _data, read_normal
from cabs.values import Pair

ROOT = Path(__file__).resolve().parents[3]


def made(references: list[str], seed: int = 0, normal: str = "") -> dict[str, Control]:
    ontology = cabs.load_ontology()
    judge = Judge(Plan(ontology, groups=()))
    pairs = [Pair(str(at), text, None) for at, text in enumerate(references)]
    found = Maker(ontology, judge.matcher, judge.read, seed, normal).make(pairs)
    assert [control.name for control in found] == list(NAMES if len(references) > 1 else NAMES[:-1])
    assert {len(control.predictions) for control in found} == {len(references)}
    return {control.name: control for control in found}


REFERENCES = [
    "There is a left pleural effusion. The heart is enlarged.",
    "Small left pleural effusion. No pneumothorax.",
    "Left pleural effusion. A 5 mm nodule in the right upper lobe.",
    "The lungs are clear. No pleural effusion.",
]


def test_the_template_says_the_most_frequent_findings_with_their_usual_side() -> None:
    found = made(REFERENCES)["prevalence"]
    assert set(found.predictions) == {"There is left pleural effusion."}
    assert found.predictions[0] in found.how


@pytest.mark.parametrize(("frequent", "k"), [(1, 1), (9, 2)])
def test_the_template_is_as_long_as_pays(frequent: int, k: int) -> None:
    """A second finding is said only where a constant list gains by it: F1 = 2H/(K + nk)."""
    once, twice = "There is a pleural effusion.", "There is a pleural effusion. The heart is enlarged."
    found = made([once] * (10 - frequent) + [twice] * frequent)["prevalence"]
    assert str(found.predictions[0]).count("There is") == k


def test_without_findings_the_template_is_the_normal_report() -> None:
    found = made(["The lungs are clear.", "No pleural effusion."])
    assert found["prevalence"].predictions == found["normal"].predictions


def test_every_normal_report_is_read_as_normal() -> None:
    for entry in _data()["normal"]:
        report = cabs.parse(entry["text"])
        assert report.read, entry["id"]
        assert [fact.name for fact in report.facts if fact.status == "present"] == [], entry["id"]


def test_the_normal_report_is_of_the_kind_of_the_references() -> None:
    def which(path: str, field: str) -> str:
        lines = (ROOT / "benchmarks" / path).read_text(encoding="utf-8").splitlines()
        return made([json.loads(line)[field] for line in lines])["normal"].how.partition(":")[0]

    assert which("data/xray_own.jsonl", "report") == "chest radiograph"
    assert which("gold/dev_chest.jsonl", "text") == "ct chest"
    assert which("gold/dev_abdomen.jsonl", "text") == "ct chest abdomen pelvis"
    texts = ["The lungs are clear.", "No effusion."]
    own = made(texts, normal="All is well.")["normal"]
    assert own.predictions == ("All is well.", "All is well.")
    assert own.how == "a given text of 3 words"


def test_every_study_gets_another_ones_reference_once() -> None:
    texts = [f"Reference {at}." for at in range(9)]
    for seed in range(5):
        others = made(texts, seed)["other"].predictions
        assert sorted(map(str, others)) == texts
        assert all(other != own for other, own in zip(others, texts, strict=True))


def test_a_single_study_has_no_other() -> None:
    assert list(made(REFERENCES[:1])) == ["reference", "empty", "normal", "prevalence"]


def test_a_normal_report_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "normal.txt"
    path.write_text("The lungs are clear.\n")
    assert read_normal(path) == "The lungs are clear."
    path.write_text(" \n")
    with pytest.raises(SettingError, match="holds no text"):
        read_normal(path)
    with pytest.raises(SettingError, match="can't be read"):
        read_normal(tmp_path / "nowhere.txt")
