from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cabs.ontology import Ontology, load_ontology
from tests.ontology.conftest import Files


def test_is_a(tiny: Ontology) -> None:
    assert tiny.ancestors("polar_cyst") == ("renal_cyst", "cyst", "lesion", "finding")
    assert tiny.is_a("polar_cyst", "lesion")
    assert tiny.is_a("cyst", "cyst")
    assert not tiny.is_a("lesion", "cyst")
    assert tiny.ancestors("cyst@spleen") == ("cyst", "lesion", "finding")
    assert tiny.is_a("cyst@spleen", "cyst")
    assert not tiny.is_a("nothing", "cyst")
    with pytest.raises(KeyError):
        tiny.ancestors("nothing")


def test_contains(tiny: Ontology) -> None:
    assert tiny.contains("abdomen", "renal_pole")
    assert tiny.contains("liver", "liver")
    assert not tiny.contains("renal_pole", "kidney")
    assert not tiny.contains("liver", "nothing")
    assert tiny.place_ancestors("renal_pole") == ("kidney", "abdomen", "body")
    assert tiny.place_ancestors("nothing") == ()


def test_organ_is_inherited(tiny: Ontology) -> None:
    assert tiny.organ_of("renal_pole") == "kidney"
    assert tiny.organ_of("abdomen") is None
    assert tiny.organ_of("nothing") is None


def test_composed_entity(tiny: Ontology) -> None:
    made = tiny.entity("cyst@spleen")
    assert (made.label, made.parent, made.organs, made.kind) == (
        "splenic cyst",
        "cyst",
        ("spleen",),
        "abnormality",
    )
    assert tiny.entity("drain@liver").kind == "device"
    assert tiny.entity("mass@lymph_node").label == "lymph node mass", "an organ without adjective gives its label"
    assert tiny.entity("cyst") is tiny.entities["cyst"]
    for unknown in ("nothing", "cyst@nothing", "nothing@liver", "@", ""):
        with pytest.raises(KeyError):
            tiny.entity(unknown)


@pytest.mark.parametrize(
    ("finding", "places", "organ", "entity"),
    [
        ("cyst", ["kidney"], None, "renal_cyst"),
        ("cyst", ["renal_pole"], None, "polar_cyst"),
        ("cyst", [], "kidney", "renal_cyst"),
        ("cyst", ["renal_pole"], "kidney", "polar_cyst"),
        ("cyst", ["kidney", "renal_pole"], None, "polar_cyst"),
        ("cyst", ["liver_dome"], None, "cyst@liver"),
        ("cyst", ["abdomen"], "kidney", "renal_cyst"),
        ("cyst", ["abdomen"], None, "cyst"),
        ("cyst", ["liver"], "spleen", "cyst@spleen"),
        ("mass", ["kidney"], None, "mass@kidney"),
        ("mass", [], None, "mass"),
        ("mass", ["nothing"], "nothing", "mass"),
        ("effusion", [], None, "pleural_effusion"),
        ("effusion", ["spleen"], None, "effusion@spleen"),
        ("renal_cyst", ["liver"], "liver", "renal_cyst"),
        ("cyst@spleen", ["liver"], None, "cyst@spleen"),
        ("enlargement", ["axillary_node"], None, "adenopathy"),
        ("finding", ["liver"], "liver", "finding"),
        ("other", ["liver"], "liver", "other"),
    ],
)
def test_compose(tiny: Ontology, finding: str, places: list[str], organ: str | None, entity: str) -> None:
    assert tiny.compose(finding, places, organ) == entity


def test_compose_stays_within_the_organ(folder_with: Callable[[Files], Path]) -> None:
    entity = {
        "id": "abdominal_mass",
        "label": "abdominal mass",
        "parent": "mass",
        "finding": "mass",
        "places": ["abdomen"],
    }
    tiny = load_ontology(folder_with({"entities/x.yaml": {"entities": [entity]}}))
    assert tiny.compose("mass", ["abdomen"]) == "abdominal_mass"
    assert tiny.compose("mass", ["kidney"]) == "mass@kidney"


def test_several_findings_make_one_entity(folder_with: Callable[[Files], Path]) -> None:
    record = {"id": "x", "label": "x", "parent": "lesion", "finding": "mass", "places": ["liver"]}
    entities = [{**record, "other_findings": ["lesion"]}]
    tiny = load_ontology(folder_with({"entities/x.yaml": {"entities": entities}}))
    assert tiny.compose("mass", ["liver_dome"]) == tiny.compose("lesion", ["liver"]) == "x"
    assert tiny.compose("cyst", ["liver"]) == "cyst@liver"


def test_a_finding_may_keep_its_name(folder_with: Callable[[Files], Path]) -> None:
    entities = [{"id": "x", "label": "x", "parent": "lesion", "keeps_name": True}]
    tiny = load_ontology(folder_with({"entities/x.yaml": {"entities": entities}}))
    assert tiny.compose("x", ["liver"], "liver") == "x"


def test_compose_needs_a_known_finding(tiny: Ontology) -> None:
    with pytest.raises(KeyError):
        tiny.compose("nothing", ["liver"])


@pytest.mark.parametrize(
    ("entity", "significance", "weight"),
    [
        ("cyst", "benign", 0.1),
        ("renal_cyst", "benign", 0.1),
        ("polar_cyst", "minor", 0.25),
        ("cyst@spleen", "benign", 0.1),
        ("pleural_effusion", "actionable", 0.5),
        ("effusion@liver", "actionable", 0.5),
        ("drain", "benign", 0.1),
        ("mass", "minor", 0.25),
    ],
)
def test_significance(tiny: Ontology, entity: str, significance: str, weight: float) -> None:
    assert tiny.significance(entity) == significance
    assert tiny.weight(entity) == weight


def test_cycles_and_gaps_end_a_line_of_ancestors(folder_with: Callable[[Files], Path]) -> None:
    tiny = load_ontology(
        folder_with(
            {
                "entities/x.yaml": {
                    "entities": [
                        {"id": "a", "label": "a", "parent": "b"},
                        {"id": "b", "label": "b", "parent": "a"},
                        {"id": "c", "label": "c", "parent": "gone"},
                    ]
                }
            }
        )
    )
    assert tiny.ancestors("a") == ("b",)
    assert tiny.ancestors("c") == ()
