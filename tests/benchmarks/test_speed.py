from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks import store
from benchmarks.marks import checked, fallen, marks
from benchmarks.speed import page, sets
from benchmarks.speed.__main__ import MARKS
from benchmarks.speed.compare import BASE, compare
from benchmarks.speed.pipeline import names
from benchmarks.speed.scorers import SCORERS
from cabs.ontology import load_ontology

PAIRS = [("No effusion.", "Small left effusion."), ("Cardiomegaly.", "The heart is enlarged.")]


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    return compare(PAIRS, repeats=2)


def test_every_scorer_has_its_speed_and_all_but_one_a_ratio(figures: dict[str, Any]) -> None:
    assert set(figures["pairs_per_second"]) == set(SCORERS)
    assert set(figures["to_rouge_l"]) == set(SCORERS) - {BASE}
    for found in figures["to_rouge_l"].values():
        low, high = found["spread"]
        assert low <= found["ratio"] <= high


def test_figures_are_shown_and_kept(figures: dict[str, Any]) -> None:
    table = page.sets({"ct": json.loads(json.dumps(figures))})
    assert f"{figures['pairs_per_second'][BASE]:,}" in table


def test_floors_never_ask_for_more_than_the_marks() -> None:
    assert [mark.label for mark in marks(MARKS) if not mark.holds(mark.mark)] == []


def test_stored_figures_are_of_every_set_and_hold() -> None:
    results = {"shipped": store.load("speed"), "local": store.load("speed-local")}
    assert set(results["shipped"]["sets"]) == set(sets.shipped())
    assert [mark.label for mark, value in checked(results, MARKS) if value is None] == []
    assert fallen(results, MARKS) == []
    results["shipped"]["sets"]["ct"]["to_rouge_l"]["cabs"]["ratio"] = 0.1
    assert [line.partition(" (")[0] for line in fallen(results, MARKS)] == ["CT, to ROUGE-L"]


def test_no_text_comes_twice_in_the_set_of_once() -> None:
    texts = [text for pair in sets.shipped()["ct_once"] for text in pair]
    assert len(texts) == len(set(texts)) > 100


def test_findings_are_target_rules_under_all_their_names() -> None:
    (entity,) = [e for e in load_ontology().entities.values() if e.label == "pleural effusion"]
    assert {entity.label, *entity.forms, *entity.abbreviations} <= set(names())
    assert "" not in names()
