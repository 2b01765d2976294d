"""The shipped sets are found, and no figure falls behind its floor; what the marks ask for is printed by the run."""

from __future__ import annotations

from benchmarks import accuracy, pages
from benchmarks.accuracy import GOLD
from benchmarks.corpora import ct_pairs, neighbours, xray_pairs
from benchmarks.marks import Mark, checked, fallen, figure, marks
from benchmarks.rooms.gold import gold_files
from benchmarks.rooms.parts import part_of


def test_the_shipped_gold_is_found() -> None:
    assert {"dev_abdomen", "dev_chest", "dev_gpt4", "dev_normal"} <= dict(gold_files([GOLD])).keys()


def test_a_whole_run() -> None:
    """Every mark of shipped sets is measured and above its floor, every room is told, open reports alone are listed."""
    run = accuracy.shipped()
    asked = [(mark, value) for mark, value in checked({"shipped": run.results}) if mark.of == "shipped"]
    assert [mark.label for mark, value in asked if value is None] == []
    assert fallen({"shipped": run.results}) == []
    told = pages.told(run.results)
    titles = [block.split("\n")[0] for block in told.split("\n\n")]
    assert len(set(titles)) == len(titles), "each table says what it is of"
    for title in (
        "annotated facts",
        "annotated facts, by wording",
        "paraphrases",
        "synthrad",
        "negation",
        "normal reports: templates",
    ):
        assert title in told
    assert "| mention F1, pooled | shipped | >= 0.88 | >= 0.88 |" in pages.marks_table({"shipped": run.results})
    listed = {mistake.report.split(" ")[0] for mistake in run.mistakes}
    assert listed
    assert [report for report in sorted(listed) if part_of(report) != "open"] == []


def test_floors_never_ask_for_more_than_the_marks() -> None:
    assert len(marks()) > 20
    assert len({(mark.of, mark.figure) for mark in marks()}) == len(marks())
    assert [mark.label for mark in marks() if not mark.holds(mark.mark)] == []


def test_a_mark_is_reached_and_a_floor_holds() -> None:
    judged = [(True, True), (False, True), (False, False)]
    least = Mark("F1", "shipped", "a/f1", mark=0.9, floor=0.8)
    assert [(least.reached(v), least.holds(v)) for v in (0.9, 0.85, 0.7)] == judged
    most = Mark("false facts", "local", "a/n", mark=0.05, floor=0.1, most=True)
    assert [(most.reached(v), most.holds(v)) for v in (0.0, 0.07, 0.2)] == judged


def test_a_figure_is_found_by_its_path() -> None:
    assert figure({"a": {"f1": 1}}, "a/f1") == 1.0
    assert figure({"a": {"f1": None}}, "a/f1") is None
    assert figure({"a": 2}, "a/f1") is None


def test_pairs_are_neighbours() -> None:
    assert neighbours(["a", "b", "c"]) == [("a", "b"), ("b", "c"), ("c", "a")]
    assert len(ct_pairs()) >= 384
    assert all(reference and prediction for reference, prediction in [*ct_pairs(), *xray_pairs()])
