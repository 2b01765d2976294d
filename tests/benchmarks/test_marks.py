"""The shipped sets are found, and no figure falls behind its floor; what the marks ask for is printed by the run."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import accuracy
from benchmarks.accuracy import GOLD
from benchmarks.corpora import ct_pairs, neighbours, xray_pairs
from benchmarks.marks import Mark, checked, figure, marks
from benchmarks.rooms.gold import gold_files


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return accuracy.shipped().results


def test_the_shipped_gold_is_found() -> None:
    assert {"dev_abdomen", "dev_chest", "dev_gpt4", "dev_normal"} <= dict(gold_files([GOLD])).keys()


def test_every_shipped_mark_is_measured_and_above_its_floor(results: dict[str, Any]) -> None:
    asked = [(mark, value) for mark, value in checked({"shipped": results}) if mark.of == "shipped"]
    assert [mark.label for mark, value in asked if value is None] == []
    assert accuracy.fallen({"shipped": results}) == []


def test_the_run_is_told_with_every_room(results: dict[str, Any]) -> None:
    told = accuracy.told(results)
    for title in ("annotated facts", "by wording", "paraphrases", "synthrad", "negation", "normal reports: templates"):
        assert f"{title}" in told
    assert "| mention F1, pooled | shipped | >= 0.88 |" in accuracy.marks_table({"shipped": results})


def test_floors_never_ask_for_more_than_the_marks() -> None:
    assert len(marks()) > 20
    assert len({(mark.of, mark.figure) for mark in marks()}) == len(marks())
    assert [mark.label for mark in marks() if not mark.holds(mark.mark)] == []


def test_a_mark_is_reached_and_a_floor_holds() -> None:
    least = Mark("F1", "shipped", "a/f1", mark=0.9, floor=0.8)
    assert [(least.reached(v), least.holds(v)) for v in (0.9, 0.85, 0.7)] == [(True, True), (False, True), (False, False)]
    most = Mark("false facts", "local", "a/n", mark=0.05, floor=0.1, most=True)
    assert [(most.reached(v), most.holds(v)) for v in (0.0, 0.07, 0.2)] == [(True, True), (False, True), (False, False)]


def test_a_figure_is_found_by_its_path() -> None:
    assert figure({"a": {"f1": 1}}, "a/f1") == 1.0
    assert figure({"a": {"f1": None}}, "a/f1") is None
    assert figure({"a": 2}, "a/f1") is None


def test_pairs_are_neighbours() -> None:
    assert neighbours(["a", "b", "c"]) == [("a", "b"), ("b", "c"), ("c", "a")]
    assert len(ct_pairs()) >= 384
    assert all(reference and prediction for reference, prediction in [*ct_pairs(), *xray_pairs()])
