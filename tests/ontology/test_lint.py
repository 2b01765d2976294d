from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cabs.ontology.lint import lint
from tests.ontology.conftest import Files

With = Callable[[Files], Path]


def entity(**fields: Any) -> Files:
    return {"entities/x.yaml": {"entities": [{"id": "x", "label": "x thing", "parent": "finding", **fields}]}}


def structure(**fields: Any) -> Files:
    return {"anatomy/x.yaml": {"structures": [{"id": "x", "label": "x place", "parent": "body", **fields}]}}


def rule(**fields: Any) -> Files:
    examples = {"match": ["Seldom a mass."], "no_match": ["A mass."]}
    record = {"id": "x", "class": "negation", "forms": ["seldom"], **examples, **fields}
    return {"context/x.yaml": {"rules": [record]}}


def kind(**fields: Any) -> Files:
    return {"attributes/x.yaml": {"kinds": [{"kind": "x", "compare": "exclusive", "cost": 0.1, **fields}]}}


def test_the_tiny_ontology_is_clean(tiny_folder: Path) -> None:
    assert lint(tiny_folder) == []


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (entity(parent="gone"), "entities/x.yaml: x: parent: unknown entity gone"),
        (entity(parent=None), "x: parent: missing; only a root has none"),
        (entity(parent="x"), "x: parent: goes in a circle"),
        (entity(organs=["gone"]), "x: organs: unknown organ gone"),
        (entity(finding="gone", places=["liver"]), "x: finding: unknown entity gone"),
        (entity(finding="cyst", places=["gone"]), "x: places: unknown structure gone"),
        (entity(default_place="gone"), "x: places: unknown structure gone"),
        (
            entity(finding="cyst", other_findings=["gone"], places=["liver"]),
            "x: finding: unknown entity gone",
        ),
        (entity(other_findings=["cyst"]), "x: other_findings: there is no finding"),
        (
            entity(finding="mass", other_findings=["cyst"], places=["kidney"]),
            "x: cyst + kidney is also renal_cyst",
        ),
        (entity(finding="cyst"), "x: finding, places: one without the other"),
        (entity(finding="x", places=["liver"]), "x: finding: is the entity itself"),
        (entity(finding="cyst", places=["kidney"]), "x: cyst + kidney is also renal_cyst"),
        (
            entity(organs=["spleen"], finding="cyst", places=["liver"]),
            "x: places: none of them lies in spleen",
        ),
        (
            entity(predicates=["xy"], predicate_attribute=["severity", "gone"]),
            "x: predicate_attribute: unknown value gone of severity",
        ),
        (
            entity(predicate_attribute=["severity", "small"]),
            "x: predicate_attribute: there are no predicates",
        ),
        (entity(label="Renal cysts"), "x: label: 'Renal cysts' is also renal_cyst's"),
        (entity(forms=["adenopathies"]), "x: 'adenopathies' is also a form of adenopathy"),
        (entity(forms=["spleen"]), "x: 'spleen' is also a form of spleen"),
        (entity(forms=["of the"]), "x: 'of the' resolves to None"),
        (entity(xrefs={"SNOMED": "1"}), "x: xrefs: SNOMED can't be shipped"),
        (entity(xrefs={"hp": "HP:1"}), "x: xrefs: 'HP:1' is no identifier of HP"),
        (structure(parent="gone"), "anatomy/x.yaml: x: parent: unknown structure gone"),
        (structure(parent="x"), "x: parent: goes in a circle"),
        (structure(parent=None), "x: relation: a root has no parent, and only a root"),
        (structure(organ="gone"), "x: organ: unknown organ gone"),
        (structure(forms=["renal poles"]), "'renal poles' is also a form of renal_pole"),
        (structure(xrefs={"UMLS": "C1"}), "x: xrefs: UMLS can't be shipped"),
        (
            {
                "anatomy/x.yaml": {
                    "structures": [
                        {"id": "x", "label": "x", "parent": "body", "side": "left"},
                        {"id": "y", "label": "y", "parent": "x", "side": "right"},
                    ]
                }
            },
            "y: side: right, within x, which is left",
        ),
        (
            {"organs/x.yaml": {"organs": [{"id": "x", "label": "x"}]}},
            "organs/x.yaml: x: no structure or entity has this organ",
        ),
        (
            {"organs/x.yaml": {"organs": [{"id": "x", "label": "x", "structures": ["gone", "liver"]}]}},
            "x: structures: unknown structure gone",
        ),
        (
            {"organs/x.yaml": {"organs": [{"id": "x", "label": "x", "structures": ["gone", "liver"]}]}},
            "x: liver has the organ liver",
        ),
        (rule(match=[]), "context/x.yaml: x: match: no example"),
        (rule(no_match=[]), "x: no_match: no example"),
        (rule(forms=[]), "x: forms: there are none"),
        (rule(match=["Often a mass."]), "x: none of its forms is in 'Often a mass.'"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["mass"]}]), "'mass' is no fact"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["-gone"]}]), "unknown entity or organ"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["-mass @gone"]}]), "unknown entity or organ"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["-mass below"]}]), "'below' is no side"),
        (kind(values=[{"value": "a", "compatible": ["b"]}]), "x: a: unknown value b"),
        (kind(values=[{"value": "a", "opposites": ["b"]}]), "x: a: unknown value b"),
        (kind(values=[{"value": "a", "rank": 1}]), "x: a: has a rank, but the kind isn't ordered"),
        (kind(compare="ordered", values=[{"value": "a"}]), "x: a: has no rank"),
        (kind(patterns=[{"regex": "a(", "match": ["a"], "no_match": ["b"]}]), "x: a(: regex: "),
        (
            kind(patterns=[{"regex": "a*", "match": ["a"], "no_match": ["b"]}]),
            "regex: matches the empty text",
        ),
        (kind(patterns=[{"regex": "a", "match": ["b"], "no_match": ["b"]}]), "doesn't match 'b'"),
        (kind(patterns=[{"regex": "a", "match": ["a"], "no_match": ["A"]}]), "matches 'A'"),
        (kind(patterns=[{"regex": "a", "match": ["a"]}]), "no_match: no example"),
        (
            kind(patterns=[{"regex": "a", "value": "z", "match": ["a"], "no_match": ["b"]}]),
            "pattern: unknown value z",
        ),
        (
            {"sections.yaml": {"sections": [{"role": "findings", "headings": ["seen"]}]}},
            "sections.yaml: findings: seen: match: no example",
        ),
        (
            {"abbreviations.yaml": {"abbreviations": [{"abbr": "XX", "reading": "gone"}]}},
            "abbreviations.yaml: XX: reading: unknown id gone",
        ),
        (
            {"abbreviations.yaml": {"abbreviations": [{"abbr": "XX", "reading": "cyst"}]}},
            "abbreviations.yaml: XX = cyst: match: no example",
        ),
        ({"abbreviations.yaml": {"abbreviations": []}}, "'PE' is also a form of"),
        (
            {"ambiguous.yaml": {"ambiguous": [{"form": "spot", "ids": ["cyst", "gone"]}]}},
            "ambiguous.yaml: spot: unknown id gone",
        ),
        (
            {"distinct.yaml": {"distinct": [{"a": "renal cyst", "b": "kidney cyst", "why": "no"}]}},
            "distinct.yaml: renal cyst = kidney cyst: both names resolve to renal_cyst",
        ),
        (
            {"crosswalks/set.yaml": {"labels": {"Cyst": "gone"}}},
            "crosswalks/set.yaml: set: Cyst: unknown id gone",
        ),
        (
            {"significance.yaml": {"rules": [{"is_a": "gone", "significance": "minor"}]}},
            "significance.yaml: gone: is_a: unknown entity",
        ),
        ({"entities/x.yaml": "entities: [}"}, "entities/x.yaml:1: not valid YAML"),
        (entity(colour="red"), "entities/x.yaml: x: colour: unknown field"),
    ],
)
def test_every_fault_is_found(folder_with: With, files: Files, message: str) -> None:
    problems = [str(problem) for problem in lint(folder_with(files))]
    assert any(message in problem for problem in problems), problems


def test_listed_ambiguity_is_no_fault(folder_with: With) -> None:
    files = entity(forms=["cystic lesion", "spleen"])
    ambiguous = [{"form": "cystic lesions", "ids": ["cyst", "x"]}, {"form": "spleen", "ids": ["spleen", "x"]}]
    assert lint(folder_with({**files, "ambiguous.yaml": {"ambiguous": ambiguous}})) == []


def test_all_faults_are_listed_in_order(folder_with: With) -> None:
    problems = lint(folder_with({**entity(parent="gone", organs=["gone"]), **structure(organ="gone")}))
    assert [problem.file for problem in problems] == ["anatomy/x.yaml", "entities/x.yaml", "entities/x.yaml"]


def test_no_folder(tmp_path: Path) -> None:
    assert "no such folder" in str(lint(tmp_path / "none")[0])
