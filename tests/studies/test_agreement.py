"""Two readings of the same reports, unit by unit."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError
from cabs.io.factfile import FactFile, FactReport
from cabs.matching import Settings
from cabs.metrics.intervals import Resampling
from cabs.studies.agreement import Agreement, agreement
from cabs.studies.agreement.files import write_agreement
from cabs.values import OTHER, ParsedReport
from tests.matching.build import fact, ontology, report
from tests.properties.strategies import facts, reports

NO_DRAWS = Resampling(n=0)
NODULE = fact("pulmonary_nodule", "lung", "right", mm=(9.0,), start=0)
EFFUSION = fact("pleural_effusion", "pleura", "left", severity="small", start=30)
CYST = fact("hepatic_cyst", "liver", start=60)


def file(name: str, *given: ParsedReport, text: str | None = None) -> FactFile:
    return FactFile(name, {f"r{i}": FactReport(f"r{i}", r, text, None, name) for i, r in enumerate(given)})


def compared(a: ParsedReport, b: ParsedReport, settings: Settings | None = None) -> Agreement:
    return agreement(file("A", a), file("B", b), ontology(), settings=settings, resampling=NO_DRAWS)


def shares(found: Agreement, status: str = "present") -> dict[str, float | None]:
    return {name: e.value for name, e in found.status[status].shares.items()}  # type: ignore[index]


def slot(found: Agreement, name: str, status: str = "present"):  # type: ignore[no-untyped-def]
    return next(s for s in found.status[status].slots if s.slot == name)  # type: ignore[index]


def test_units_by_hand() -> None:
    other_side = fact("pulmonary_nodule", "lung", "left", mm=(9.0,))
    found = compared(report(NODULE, EFFUSION, CYST), report(other_side, EFFUSION))
    block = found.status["present"]
    assert (block.facts_a, block.facts_b, block.paired, block.full) == (3, 2, 2, 1)
    assert shares(found) == {
        "a_in_b": 2 / 3,
        "b_in_a": 1.0,
        "overlap": 0.8,
        "a_in_b_fully": 1 / 3,
        "b_in_a_fully": 0.5,
        "two_or_more": 0.0,
        "two_or_more_fully": 1.0,
    }
    assert slot(found, "side").agreement.value == 0.5
    assert slot(found, "certainty").agreement.value == 1.0
    differences = [(d.slot, d.said_a, d.said_b) for d in found.rows[0].differences]
    assert differences == [("fact", "hepatic cyst", ""), ("side", "right", "left")]


def test_present_and_absent_are_apart_and_meet_in_the_status_of_entities() -> None:
    denied = fact("pleural_effusion", "pleura", "left", status="absent")
    found = compared(report(NODULE, EFFUSION), report(NODULE, denied))
    assert shares(found)["a_in_b"] == 0.5
    assert (shares(found, "absent")["a_in_b"], shares(found, "absent")["b_in_a"]) == (None, 0.0)
    assert found.status["absent"].shares["a_in_b"].reason == "there are no facts"
    assert dict(found.rows[0].labels) == {
        "pleural_effusion": ("present", "absent"),
        "pulmonary_nodule": ("present", "present"),
    }
    assert (found.entity_status.entities, found.entity_status.mentioned.value) == (2, 0.5)


def test_status_counts_what_a_report_does_not_mention() -> None:
    a, b = file("A", report(NODULE), report(CYST)), file("B", report(NODULE), report(CYST))
    found = agreement(a, b, ontology(), resampling=NO_DRAWS)
    assert (found.entity_status.kappa.n, found.entity_status.kappa.value) == (4, 1.0)


def test_a_slot_stated_by_one_alone_differs_whichever_it_is() -> None:
    bare = fact("pleural_effusion", "pleura")
    for a, b in ((EFFUSION, bare), (bare, EFFUSION)):
        found = compared(report(a), report(b))
        assert (slot(found, "side").agreement.value, slot(found, "severity").agreement.value) == (0.0, 0.0)
        assert found.status["present"].full == 0


def test_kappa_is_null_with_a_reason_where_a_slot_has_no_categories() -> None:
    found = compared(report(NODULE), report(NODULE))
    assert (slot(found, "entity").kappa.value, slot(found, "entity").kappa.reason) == (
        None,
        "paired facts have the same entity",
    )
    assert slot(found, "location").kappa.reason == "no closed set of categories"
    assert slot(found, "side").kappa.reason == "both always say the same one thing"


def test_hierarchical_pairs_relatives_and_then_the_entity_can_differ() -> None:
    general, special = fact("cyst", "liver"), fact("hepatic_cyst", "liver")
    relative = fact("opacity", "lung"), fact("consolidation", "lung")
    assert compared(report(general), report(special)).status["present"].paired == 1
    loose = compared(report(relative[0]), report(relative[1]), Settings(match="hierarchical"))
    assert (slot(loose, "entity").agreement.value, slot(loose, "entity").kappa.value) == (0.0, 0.0)
    assert compared(report(relative[0]), report(relative[1])).status["present"].paired == 0


def test_names_outside_the_ontology_are_units_too() -> None:
    mine, theirs = (fact(OTHER, None, name=name) for name in ("zindle sign", "Zindle signs"))
    found = compared(report(mine), report(theirs))
    assert found.status["present"].paired == 1
    assert list(found.rows[0].labels) == ["sign zindle"]


def test_ids_of_one_file_are_said_and_counted_nowhere() -> None:
    found = agreement(file("A", report(NODULE), report(CYST)), file("B", report(NODULE)), ontology())
    assert (found.reports, found.a.only, found.b.only) == (1, ("r1",), ())
    assert found.status["present"].facts_a == 1
    with pytest.raises(InputError, match="no report in common"):
        agreement(file("A", report()), FactFile("B", {"x": FactReport("x", report(), None, None, "")}), ontology())


def test_an_unread_report_has_no_facts_and_is_counted() -> None:
    found = compared(report(NODULE), report(read=False))
    assert (found.a.unread, found.b.unread, shares(found)["a_in_b"]) == (0, 1, 0.0)


TURNED = {"a_in_b": "b_in_a", "b_in_a": "a_in_b", "a_in_b_fully": "b_in_a_fully", "b_in_a_fully": "a_in_b_fully"}
FACTS = {"facts_a": "facts_b", "facts_b": "facts_a"}
many = st.lists(reports(most=4), min_size=1, max_size=4)


@given(many, many, st.sampled_from([Settings(), Settings(match="hierarchical"), Settings(scope="section")]))
def test_the_order_of_a_and_b_changes_names_alone(
    first: list[ParsedReport], second: list[ParsedReport], settings: Settings
) -> None:
    how = Resampling(n=20)
    there = agreement(file("A", *first), file("B", *second), ontology(), settings=settings, resampling=how).to_json()
    back = agreement(file("B", *second), file("A", *first), ontology(), settings=settings, resampling=how).to_json()
    assert (there["a"], there["b"], there["entity_status"]) == (back["b"], back["a"], back["entity_status"])
    for status, block in there["status"].items():
        turned = {TURNED.get(k, FACTS.get(k, k)): v for k, v in back["status"][status].items()}
        assert block == turned


@given(many)
def test_a_reading_agrees_with_itself(given: list[ParsedReport]) -> None:
    found = agreement(file("A", *given), file("B", *given), ontology(), resampling=NO_DRAWS)
    for block in found.status.values():
        assert block.facts_a == block.facts_b == block.paired == block.full
        assert block.shares["two_or_more_fully"].value == 0
        assert all(s.agreement.value in (None, 1.0) and s.kappa.value in (None, 1.0) for s in block.slots)
    assert not any(row.differences for row in found.rows)
    assert found.entity_status.kappa.value in (None, 1.0)


@given(reports(most=3), facts(section="findings"))
def test_units_add_up(base: ParsedReport, extra) -> None:  # type: ignore[no-untyped-def]
    found = compared(base, ParsedReport((*base.facts, extra), base.normal, True))
    for status, block in found.status.items():
        counts = found.rows[0].counts
        assert counts[f"{status}:differing"] == block.facts_a + block.facts_b - 2 * block.paired
        assert block.full <= block.paired <= min(block.facts_a, block.facts_b)


def test_files(tmp_path: Path) -> None:
    text = "= A 9 mm nodule.".ljust(20) + "Small effusion".ljust(40)
    b = file("B", report(fact("pulmonary_nodule", "lung", "left", mm=(9.0,))), text=text)
    found = agreement(file("A", report(NODULE, EFFUSION)), b, ontology(), resampling=Resampling(n=20))
    write_agreement(found, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "disagreements.csv", "reports.csv", "results.json", "slots.csv",
    ]  # fmt: skip
    rows = list(csv.DictReader((tmp_path / "out" / "disagreements.csv").read_text().splitlines()))
    assert [(r["slot"], r["said_a"], r["said_b"]) for r in rows] == [
        ("fact", "pleural effusion", ""),
        ("side", "right", "left"),
    ]
    assert rows[1]["evidence_a"].startswith("'= A 9 mm nodule")
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == found.to_json()
    write_agreement(found, tmp_path / "bare", text=False)
    bare = "".join(p.read_text() for p in (tmp_path / "bare").iterdir())
    assert "nodule." not in bare
    assert "pleural effusion" not in bare
