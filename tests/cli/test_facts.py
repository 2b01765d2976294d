"""Facts in files are checked against the ontology and their text: line, report, field, and what may be meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cabs import parse
from cabs.io.facts import report_to_json

TEXT = "Small left pleural effusion."
Change = Callable[[dict[str, Any]], object]

SLIPS: dict[str, tuple[Change, str, str]] = {
    "organ": (lambda f: f.update(organ="pleurra"), "organ: organ 'pleurra' is unknown", "near: pleura"),
    "entity": (lambda f: f.update(entity="pleural_efusion"), "entity: entity 'pleural_efusion' is", "pleural_effusion"),
    "kind of fact": (lambda f: f.update(kind="device"), "kind: kind is 'device'", "of kind 'abnormality'"),
    "place": (lambda f: f["location"].update(ids=["lungs"]), "location.ids: place 'lungs' is unknown", "near: lung"),
    "attribute": (
        lambda f: f["attributes"][0].update(kind="severty"),
        "attributes[0].kind: attribute kind",
        "severity",
    ),
    "value": (lambda f: f["attributes"][0].update(value="smal"), "attributes[0].value: value 'smal'", "near: small"),
    "size": (lambda f: f["attributes"][0].update(value=[3.0], unit="mm"), "severity holds millimetres", "only sizes"),
    "unit": (lambda f: f["attributes"][0].update(unit="cm"), "unit is 'cm'", "millimetres"),
    "span": (lambda f: f.update(mention={"start": 3, "end": 99}), "characters 3 to 99 are not in the text", "another"),
    "type": (lambda f: f.update(mention={"start": "3", "end": 9}), "a span is {start, end}", ""),
}


COMMANDS = {
    "reference facts": ("score", "r.jsonl", "r.jsonl", "--reference-facts", "f.jsonl"),
    "pairs": ("score", "f.jsonl", "r.jsonl"),
    "sheet": ("audit", "sheet", "f.jsonl", "-o", "sheet.csv"),
    "agreement": ("audit", "agreement", "f.jsonl", "f.jsonl"),
    "explain": ("explain", "f.jsonl", "r.jsonl", "--id", "a"),
    "compare": ("compare", "f.jsonl", "--system-a", "a", "--system-b", "b"),
}


@pytest.fixture
def facts(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "r.jsonl").write_text(json.dumps({"id": "a", "report": TEXT}))
    return {"id": "a", **report_to_json(parse(TEXT))}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_file_of_facts_is_named(cabs, facts: dict[str, Any], tmp_path: Path, slip: str) -> None:
    change, message, hint = SLIPS[slip]
    change(facts["facts"][0])
    (tmp_path / "f.jsonl").write_text("\n" + json.dumps({**facts, "reference": TEXT}))
    done = cabs("score", "f.jsonl", "r.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: f.jsonl:2")
    assert "facts[0]" in done.stderr
    assert message in done.stderr
    assert hint in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_whatever_reads_facts_checks_them(cabs, facts: dict[str, Any], tmp_path: Path, command: str) -> None:
    line = {**facts, "reference": TEXT, "prediction": TEXT} if command == "compare" else {**facts, "reference": TEXT}
    (tmp_path / "f.jsonl").write_text("\n" + json.dumps(line))
    if command != "compare":
        assert cabs(*COMMANDS[command]).returncode == 0
    (tmp_path / "f.jsonl").write_text("\n" + json.dumps(line).replace('"pleura"', '"pleurra"'))
    done = cabs(*COMMANDS[command])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: f.jsonl:2: report 'a': facts[0].organ: organ 'pleurra' is unknown")


def test_annotated_facts_too(cabs, facts: dict[str, Any], tmp_path: Path) -> None:
    for fact, message in (
        ({"name": "effusion", "organ": "pleurra"}, "f.jsonl:1: report 'a': facts[0].organ: organ 'pleurra' is unknown"),
        ({"name": "effusion", "attributes": [{"kind": "sise", "text": "x"}]}, "facts[0].attributes[0].kind"),
    ):
        (tmp_path / "f.jsonl").write_text(json.dumps({"id": "a", "text": TEXT, "facts": [fact]}))
        done = cabs("score", "f.jsonl", "r.jsonl")
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr


def test_ids_that_one_file_lacks_are_counted_and_near_ones_offered(cabs, tmp_path: Path) -> None:
    lines = [json.dumps({"id": id, "report": TEXT}) for id in ("case-01", "case-02", "case-03")]
    (tmp_path / "gt.jsonl").write_text("\n".join(lines))
    (tmp_path / "out.jsonl").write_text("\n".join(lines).replace("case-", "CASE-") + "\n" + lines[0])
    done = cabs("score", "gt.jsonl", "out.jsonl")
    assert done.returncode == 1
    assert "out.jsonl:1: id 'CASE-01' has no reference in gt.jsonl, and so have 2 more: 'CASE-02'" in done.stderr
    assert "hint: did you mean 'case-01'?" in done.stderr
    assert cabs("parse", "gt.jsonl", "-o", "facts.jsonl").returncode == 0
    (tmp_path / "p.jsonl").write_text("\n".join(json.dumps({"id": f"case-{n}", "prediction": ""}) for n in "123"))
    done = cabs("score", "p.jsonl", "--reference-facts", "facts.jsonl")
    assert done.returncode == 1
    assert "p.jsonl:1: facts.jsonl has no facts for report 'case-1' and 2 more" in done.stderr
    assert "did you mean 'case-01'" in done.stderr
    done = cabs("explain", "gt.jsonl", "gt.jsonl", "--id", "case-01.txt")
    assert "--id: did you mean 'case-01'?" in done.stderr


def test_the_first_of_two_is_named(cabs, tmp_path: Path) -> None:
    line = json.dumps({"id": "a", "system": "s", "reference": TEXT, "prediction": TEXT})
    (tmp_path / "p.jsonl").write_text(f"{line}\n{line}")
    done = cabs("score", "p.jsonl")
    assert "error: p.jsonl:2: id 'a' of system 's' comes twice, first at p.jsonl:1" in done.stderr
    assert "an id names one report of each system" in done.stderr
