"""References in every shape in which trainers carry them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import cabs
from cabs.errors import InputError
from cabs.io.facts import report_to_json
from cabs.matching import Settings
from cabs.rewards.references import Reference, SectionReader
from cabs.rewards.rules import rules_judge

FINDINGS = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
IMPRESSION = "Right upper lobe nodule."
TAGS = f"<findings>{FINDINGS}</findings>\n<impression>{IMPRESSION}</impression>"
ENTITIES = {
    "findings_abnormality_entity": {
        "abnormalities": [
            {"name": "pulmonary nodule", "location": "right upper lobe", "attributes": "9 mm", "certainty": "definite",
             "organ": "lung_parenchyma", "evidence": "There is a 9 mm nodule in the right upper lobe."},
            {"name": "pleural effusion", "location": "left", "attributes": "small", "organ": "pleura",
             "certainty": "definite", "evidence": "Small left pleural effusion."},
        ],
        "report_has_abnormality": True,
        "abnormality_count": 2,
    },
    "impression_abnormality_entity": {
        "abnormalities": [
            {"name": "pulmonary nodule", "location": "right upper lobe", "attributes": "", "organ": "lung_parenchyma",
             "certainty": "definite", "evidence": "Right upper lobe nodule."},
        ],
        "report_has_abnormality": True,
        "abnormality_count": 1,
    },
}  # fmt: skip
RECORD: dict[str, Any] = {
    "data_source": "medical-report-abnormality",
    "prompt": [{"role": "user", "content": "<video>\nWrite <findings>...</findings><impression>...</impression>"}],
    "videos": [{"video": ["a/b.npy"], "fps": 2}],
    "reward_model": {"style": "rule", "ground_truth": TAGS},
    "extra_info": {"split": "train", "info": ENTITIES},
}


@pytest.fixture(scope="module")
def reader() -> SectionReader:
    return rules_judge(None, Settings(scope="section"), None).reader


def stated(reference: Reference) -> dict[str, list[str]]:
    return {name: [f.name for f in part.report.facts] for name, part in reference.sections.items()}


BOTH = {"findings": ["pulmonary nodule", "pleural effusion"], "impression": ["pulmonary nodule"]}


@pytest.mark.parametrize(
    "given",
    [
        TAGS,
        f"FINDINGS: {FINDINGS}\nIMPRESSION: {IMPRESSION}",
        {"findings": FINDINGS, "impression": IMPRESSION},
        {"reference": TAGS, "id": "7"},
        json.dumps({"reference": TAGS}),
        RECORD,
        RECORD["extra_info"],
        ENTITIES,
        json.dumps(RECORD),
        {**RECORD, "extra_info": {"info": {**ENTITIES, "another_section": None}, "nothing": None}},
        cabs.parse(f"FINDINGS: {FINDINGS}\nIMPRESSION: {IMPRESSION}"),
        report_to_json(cabs.parse(f"FINDINGS: {FINDINGS}\nIMPRESSION: {IMPRESSION}")),
    ],
)
def test_every_shape_states_the_same(reader: SectionReader, given: object) -> None:
    assert stated(reader.reference(given)) == BOTH


def test_arrays_are_lists(reader: SectionReader) -> None:
    info = json.loads(json.dumps(ENTITIES))
    for section in info.values():
        section["abnormalities"] = np.array(section["abnormalities"], dtype=object)
    assert stated(reader.reference({"info": info})) == BOTH


def test_a_record_has_both_sections_even_without_facts(reader: SectionReader) -> None:
    empty = {"abnormalities": [], "report_has_abnormality": False, "abnormality_count": 0}
    given = {"findings_abnormality_entity": empty, "impression_abnormality_entity": empty}
    assert set(reader.reference(given).read) == {"findings", "impression"}


def test_what_a_text_leaves_out_is_no_section(reader: SectionReader) -> None:
    assert stated(reader.reference(FINDINGS)) == {"findings": BOTH["findings"]}
    assert stated(reader.reference(f"<findings>{FINDINGS}</findings>")) == {"findings": BOTH["findings"]}
    read = reader.reference(f"<findings>{FINDINGS}</findings><impression>See above.</impression>").read
    assert list(read) == ["findings"]


@pytest.mark.parametrize("given", ["", "xyz", "[draft] xyz", "{not json", "5"])
def test_a_text_that_says_nothing_is_unread(reader: SectionReader, given: str) -> None:
    assert not reader.reference(given).read


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "text or facts expected, found null"),
        (5, "text or facts expected, found a number"),
        ({}, "no field"),
        ({"question": "a"}, "nothing to score in an object with question"),
        ([1], r"facts\[0\]"),
        ({"facts": [{"entity": "pulmonary_nodule"}]}, r"facts\[0\]"),
        ({"info": {"findings_abnormality_entity": {"abnormalities": "none"}}}, "abnormalities holds text"),
        ({"reference": {1, 2}}, "it can't be read"),
    ],
)
def test_what_is_no_reference_is_told(reader: SectionReader, given: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        reader.reference(given)
