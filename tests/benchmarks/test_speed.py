from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks import store
from benchmarks.speed import page, sets
from benchmarks.speed.__main__ import FLOORS, below
from benchmarks.speed.compare import BASE, compare
from benchmarks.speed.pipeline import names
from benchmarks.speed.scorers import SCORERS

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


def test_a_ratio_below_its_floor_is_named(figures: dict[str, Any]) -> None:
    def with_ratio(value: float) -> dict[str, Any]:
        return {
            "sets": {"ct": {"to_rouge_l": {"cabs": {"ratio": value}}}},
            "command": {"sizes": [{"speed_up": 2.0}]},
        }

    assert list(below(with_ratio(FLOORS["ct"]))) == []
    assert [line.partition(":")[0] for line in below(with_ratio(FLOORS["ct"] - 0.1))] == ["ct"]


def test_stored_figures_are_of_every_shipped_set_and_hold() -> None:
    stored = store.load("speed")
    assert set(stored["sets"]) == set(sets.shipped())
    assert list(below(stored)) == []


def test_no_text_comes_twice_in_the_set_of_once() -> None:
    texts = [text for pair in sets.shipped()["ct_once"] for text in pair]
    assert len(texts) == len(set(texts)) > 100


def test_target_rules_have_a_name_each() -> None:
    found = names()
    assert len(found) == len(set(found)) > 1000
    assert all(name.strip() for name in found)
