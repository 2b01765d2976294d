"""Checked facts that stand in for the references' texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cabs
from cabs import InputError, Pair, Resampling, Result
from cabs.io.facts import report_to_json
from cabs.io.frozen import text_hash
from cabs.io.quoted import quoted_report
from cabs.scoring.reference import facts_hash, reference_facts
from cabs.signature import parse_signature

TEXT = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
OTHER = "Cardiomegaly."
PAIRS = [Pair("a", TEXT, TEXT), Pair("b", OTHER, OTHER)]


def quick(pairs: object, **options: object) -> Result:
    return cabs.score(pairs, resampling=Resampling(n=0), **options)  # type: ignore[arg-type]


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A file in which report a states the nodule alone, and b what its text does."""
    path = tmp_path / "facts.jsonl"
    gold = {"id": "a", "text": TEXT, "facts": [{"name": "pulmonary nodule", "mention": "nodule", "organ": "lung"}]}
    parsed = {"id": "b", **report_to_json(cabs.parse(OTHER))}
    path.write_text(json.dumps(gold) + "\n" + json.dumps(parsed) + "\n")
    return path


def test_they_replace_the_parse_by_id(facts: Path) -> None:
    plain, checked = quick(PAIRS), quick(PAIRS, reference_facts=facts)
    assert (plain.counts.facts, plain.counts.extra) == (3, 0)
    assert (checked.counts.facts, checked.counts.hits, checked.counts.extra) == (2, 2, 1)
    assert checked.warnings == ()


def test_their_hash_stands_in_the_signature_and_parses_back(facts: Path) -> None:
    found = quick(PAIRS, reference_facts=facts)
    expected = reference_facts(facts).hash[:12]
    assert found.signature.items["facts"] == expected
    assert parse_signature(str(found.signature)) == found.signature
    assert "facts" not in quick(PAIRS).signature.items
    lines = facts.read_text().splitlines()
    facts.write_text("\n".join([lines[1], "", lines[0].replace(", ", ",  ")]))
    assert reference_facts(facts).hash[:12] == expected
    facts.write_text(lines[0].replace("nodule", "mass") + "\n" + lines[1])
    assert reference_facts(facts).hash[:12] != expected


def test_a_report_without_facts_is_an_error_unless_allowed(facts: Path) -> None:
    pairs = [*PAIRS, Pair("c", TEXT, TEXT, source="line 3")]
    with pytest.raises(InputError, match="no facts for report 'c'") as error:
        quick(pairs, reference_facts=facts)
    assert (error.value.place, "--allow-missing-facts" in error.value.hint) == ("line 3", True)
    found = quick(pairs, reference_facts=facts, allow_missing_facts=True)
    assert found.counts.facts == 4
    assert found.warnings == (f"1 references have no facts in {facts} and were parsed: c",)


def test_facts_that_no_pair_needs_are_told(facts: Path) -> None:
    (warning,) = quick(PAIRS[:1], reference_facts=facts).warnings
    assert warning == f"1 of 2 reports of {facts} are in no pair: b"


def test_facts_of_another_text_are_refused(facts: Path) -> None:
    with pytest.raises(InputError, match="read from another text than this reference"):
        quick([Pair("a", OTHER, TEXT)], reference_facts=facts)
    assert quick([Pair("a", f"{TEXT}\n", TEXT)], reference_facts=facts).counts.facts == 1


def test_no_reference_is_needed_then(facts: Path, tmp_path: Path) -> None:
    predictions = [{"id": "a", "prediction": TEXT}, {"id": "b", "prediction": OTHER}]
    assert quick(predictions, reference_facts=facts).counts.hits == 2
    with pytest.raises(InputError, match="'reference' is missing"):
        quick(predictions)


def test_a_mapping_will_do() -> None:
    given = {"a": cabs.parse(TEXT), "b": quoted_report({"facts": [{"name": "cardiomegaly"}]}, "here")}
    found = quick(PAIRS, reference_facts=given)
    assert (found.counts.facts, found.counts.hits) == (3, 3)
    assert found.signature.items["facts"] == facts_hash(given)[:12]


def test_files_workers_and_journals_are_the_same(facts: Path, tmp_path: Path) -> None:
    for n in (1, 2):
        quick(PAIRS, reference_facts=facts, workers=n, output=tmp_path / f"run{n}")
    first, second = ((tmp_path / f"run{n}" / "results.json").read_bytes() for n in (1, 2))
    assert first == second
    assert b"facts:" in first


def test_text_hashes_ignore_spacing_alone() -> None:
    assert text_hash(" a  b\n") == text_hash("a b") != text_hash("ab")
