from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cabs.ontology import Ontology
from cabs.ontology.lint import check, lint
from cabs.parsing import parse as cabs_parse
from cabs.values import ParsedReport
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
        (entity(parent="gone"), "entities/x.yaml:2: x: parent: unknown entity gone"),
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
        (entity(forms=["of the"]), "x: 'of the' holds only words that count in no name"),
        (entity(xrefs={"SNOMED": "1"}), "x: xrefs: SNOMED can't be shipped"),
        (entity(xrefs={"hp": "HP:1"}), "x: xrefs: 'HP:1' is no identifier of HP"),
        (structure(parent="gone"), "anatomy/x.yaml:2: x: parent: unknown structure gone"),
        (structure(parent="x"), "x: parent: goes in a circle"),
        (structure(parent=None), "x: relation: a root has no parent, and only a root"),
        (structure(forms=["of the"]), "x: 'of the' holds only words that count in no name"),
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
            "organs/x.yaml:2: x: no structure or entity has this organ",
        ),
        (
            {"organs/x.yaml": {"organs": [{"id": "x", "label": "x", "structures": ["gone", "liver"]}]}},
            "x: structures: unknown structure gone",
        ),
        (
            {"organs/x.yaml": {"organs": [{"id": "x", "label": "x", "structures": ["gone", "liver"]}]}},
            "x: liver has the organ liver",
        ),
        (rule(match=[]), "context/x.yaml:2: x: match: no example"),
        (rule(no_match=[]), "x: no_match: no example"),
        (rule(**{"class": "negatoin"}), "class: unknown value 'negatoin'; did you mean negation?; known are affirm, "),
        (rule(**{"class": "side"}), "x: value: missing; a cue of the class side needs one of right, left"),
        (rule(**{"class": "side"}, value="rigth"), "x: value: unknown value 'rigth' of side; did you mean right?"),
        (rule(**{"class": "terminator"}, value="soft"), "x: value: unknown value 'soft' of terminator; known are hard"),
        (rule(**{"class": "global_denial"}, value="gone"), "x: value: unknown value 'gone' of global_denial"),
        (rule(direction="backwards"), "direction: unknown value 'backwards'; did you mean backward?"),
        (rule(id="my rule"), "id: 'my rule' may hold letters, digits and underscores alone: my_rule"),
        (rule(forms=[]), "x: forms: there are none"),
        (rule(match=["Often a mass."]), "x: none of its forms is in 'Often a mass.'"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["mass"]}]), "'mass' is no fact"),
        (
            rule(match=[{"text": "Seldom a mass.", "facts": ["-gone"]}]),
            "x.yaml:2: x: example 'Seldom a mass.': '-gone': unknown entity gone",
        ),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["-mass @gone"]}]), "'-mass @gone': unknown organ gone"),
        (rule(match=[{"text": "Seldom a mass.", "facts": ["-mass below"]}]), "'below' is no side"),
        (kind(values=[{"value": "a", "forms": ["of"]}]), "x: a: 'of' holds only words that count in no name"),
        (kind(values=[{"value": "a b"}]), "values.0.value: 'a b' may hold letters, digits and underscores alone: a_b"),
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
            "sections.yaml:2: findings: seen: match: no example",
        ),
        (
            {"abbreviations.yaml": {"abbreviations": [{"abbr": "XX", "reading": "gone"}]}},
            "abbreviations.yaml:2: XX: reading: unknown id gone",
        ),
        (
            {"abbreviations.yaml": {"abbreviations": [{"abbr": "XX", "reading": "cyst"}]}},
            "abbreviations.yaml:2: XX = cyst: match: no example",
        ),
        ({"abbreviations.yaml": {"abbreviations": []}}, "'PE' is also a form of"),
        (
            {"ambiguous.yaml": {"ambiguous": [{"form": "spot", "ids": ["cyst", "gone"]}]}},
            "ambiguous.yaml:2: spot: unknown id gone",
        ),
        (
            {"distinct.yaml": {"distinct": [{"a": "renal cyst", "b": "kidney cyst", "why": "no"}]}},
            "distinct.yaml:2: renal cyst = kidney cyst: both names resolve to renal_cyst",
        ),
        (
            {"crosswalks/set.yaml": {"labels": {"Cyst": "gone"}}},
            "crosswalks/set.yaml:1: set: Cyst: unknown id gone",
        ),
        (
            {"significance.yaml": {"rules": [{"is_a": "gone", "significance": "minor"}]}},
            "significance.yaml:1: gone: is_a: unknown entity",
        ),
        ({"entities/x.yaml": "entities: [}"}, "entities/x.yaml:1: not valid YAML"),
        (entity(kinds="device"), "entities/x.yaml:2: x: kinds: unknown field; did you mean kind?"),
        (entity(organs=["livr"]), "x: organs: unknown organ livr; did you mean liver?"),
        (entity(organs=["gone"]), "x: organs: unknown organ gone; known are kidney, liver, "),
        ({"entitys/x.yaml": {"entities": []}}, "entitys/x.yaml: unknown file; did you mean entities?"),
        (
            {"entities/x.yaml": "entities:\n- {id: x, label: x a, parent: finding}\n- {id: x, label: x b}\n"},
            "entities/x.yaml:3: x: stands twice in this file, first in line 2; keep one",
        ),
        (
            {"distinct.yaml": {"distinct": [["a", "b", "c", "d"]]}},
            "distinct.yaml:2: a = b: a fourth item: unknown field",
        ),
        (entity(colour="red"), "entities/x.yaml:2: x: colour: unknown field"),
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


def overlaid(tiny_folder: Path, extra: Path) -> list[str]:
    return [str(problem) for problem in lint(tiny_folder, (str(extra),))]


def test_a_fault_of_a_user_names_the_users_file(tiny_folder: Path, extra_folder: With) -> None:
    extra = extra_folder({"entities/own.yaml": "entities:\n\n- {id: cyst, forms: [bleb, renal cyst]}\n"})
    assert overlaid(tiny_folder, extra) == [
        f"{extra}/entities/own.yaml:3: cyst: 'renal cyst' is also a form of renal_cyst; drop one, or list it in "
        "ambiguous.yaml"
    ]


def test_a_new_record_is_at_fault_for_what_the_ontology_has_already(tiny_folder: Path, extra_folder: With) -> None:
    """Also where its id comes first in the alphabet."""
    record = {"id": "a", "label": "Masses", "parent": "finding", "finding": "cyst", "places": ["kidney"]}
    problems = overlaid(tiny_folder, extra_folder({"entities.yaml": {"entities": [record]}}))
    assert len(problems) == 3
    assert [p for p in problems if "extra/entities.yaml:2: a: " not in p] == []


def test_a_refused_override_leaves_the_record_below(tiny_folder: Path, extra_folder: With) -> None:
    extra = extra_folder({"entities.yaml": {"entities": [{"id": "mass", "significance": "benine"}]}})
    assert overlaid(tiny_folder, extra) == [
        f"{extra}/entities.yaml:2: mass: significance: unknown value 'benine'; did you mean benign?; known are "
        "critical, actionable, minor, benign"
    ]


def test_a_broken_file_is_told_alone(folder_with: With) -> None:
    """Not with everything that names what it holds."""
    problems = [str(problem) for problem in lint(folder_with({"organs.yaml": "organs: [}"}))]
    assert len(problems) == 1
    assert problems[0].startswith("organs.yaml:1: not valid YAML")


def test_a_mistyped_id_of_an_override(tiny_folder: Path, extra_folder: With) -> None:
    extra = extra_folder({"entities.yaml": {"entities": [{"id": "renal_cist", "forms": ["bleb"]}]}})
    assert overlaid(tiny_folder, extra) == [
        f"{extra}/entities.yaml:2: renal_cist: no other record has this id; did you mean renal_cyst? A new one needs "
        "label"
    ]


def test_extra_terms_add_no_organ(tiny_folder: Path, extra_folder: With) -> None:
    extra = extra_folder(
        {"organs.yaml": {"organs": [{"id": "livre", "label": "x"}, {"id": "liver", "adjective": "jecoral"}]}}
    )
    (problem,) = overlaid(tiny_folder, extra)
    assert problem.startswith(f"{extra}/organs.yaml:2: livre: no organ has this id, and extra terms can't add one")
    assert problem.endswith("did you mean liver?")


def test_an_empty_folder_is_told(tiny_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "extra").mkdir()
    (problem,) = overlaid(tiny_folder, tmp_path / "extra")
    assert "extra: holds no ontology file; known are ontology, organs, anatomy" in problem


def test_examples_of_an_extra_folder_are_parsed(tiny_folder: Path, extra_folder: With) -> None:
    """Those of the ontology below are not, unless all are asked for; a fault of files or ids comes first."""
    texts: list[str] = []

    def parse(text: str, ontology: Ontology) -> ParsedReport:
        texts.append(text)
        return cabs_parse(text, ontology=ontology)

    files = rule(
        match=[{"text": "Seldom a mass.", "facts": ["-mass"]}, "Seldom a cyst."],
        no_match=[{"text": "A mass.", "facts": ["-mass"]}],
    )
    extra = str(extra_folder(files))
    found = check(tiny_folder, (extra,), parse)
    said = "no_match: 'A mass.': wanted -mass; got +mass"
    assert [str(p) for p in found.problems] == [f"{extra}/context/x.yaml:2: x: {said}"]
    assert (found.examples, texts) == (2, ["Seldom a mass.", "A mass."])
    assert check(tiny_folder, (extra,), parse, every=True).examples == 2 + 3
    extra_folder(entity(parent="gone"))
    texts.clear()
    assert check(tiny_folder, (extra,), parse).examples is None
    assert texts == []


def test_what_is_odd_and_no_fault_is_a_note(tiny_folder: Path, extra_folder: With) -> None:
    extra = str(extra_folder({**entity(label="x things"), **rule(value="denied")}))
    found = check(tiny_folder, (extra,))
    assert found.problems == []
    assert [str(note) for note in found.notes] == [
        f"{extra}/entities/x.yaml:2: x: label: 'x things' looks like a plural; plurals are made from the singular",
        f"{extra}/context/x.yaml:2: x: value: 'denied' is a remark, since cues of the class negation tell no values "
        "apart",
    ]


def test_no_folder(tmp_path: Path) -> None:
    assert "no such folder" in str(lint(tmp_path / "none")[0])
