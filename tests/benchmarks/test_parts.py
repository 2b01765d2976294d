"""A third is set aside by its ids, is measured, and never listed; mistakes are clustered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import accuracy
from benchmarks.moves import moved, numbers, told
from benchmarks.rooms.mistakes import Mistake, listing
from benchmarks.rooms.parts import by_part, part_of

IDS = [f"r{i}" for i in range(300)]


def test_the_same_third_is_set_aside_for_ever() -> None:
    assert [part_of(id) for id in ("case-003", "r3", "r5")] == ["open", "open", "aside"]
    assert 80 < sum(part_of(id) == "aside" for id in IDS) < 120


def test_mistakes_of_the_part_set_aside_are_dropped() -> None:
    records = [{"id": id} for id in IDS]
    figures, mistakes = by_part(
        records, lambda rs: ({"n": len(rs)}, [Mistake("room", "missed", r["id"], "name", "") for r in rs])
    )
    assert figures["open"]["n"] + figures["aside"]["n"] == figures["all"]["n"] == 300
    assert {part_of(m.report) for m in mistakes} == {"open"}
    assert len(mistakes) == figures["open"]["n"]


def test_the_listing_counts_kinds_and_names() -> None:
    mistakes = [Mistake("chest", "missed", f"r{i}", name, "A  b.") for i, name in enumerate(("x", "y", "x"))]
    mistakes.append(Mistake("chest", "extra", "r9", "z", ""))
    assert listing(mistakes, 1).splitlines() == [
        "",
        "chest: extra: 1",
        "  z (1)",
        "    r9\tz\t",
        "",
        "chest: missed: 3",
        "  x (2); y (1)",
        "    r0\tx\tA b.",
    ]


def test_moves_are_ratios_that_changed_the_largest_first() -> None:
    before = {"a": {"f1": 0.5, "r": 0.9, "n": 10, "p": 0.4}, "gone": 0.1}
    after = {"a": {"f1": 0.6, "r": 0.7, "n": 12, "p": 0.401}, "new": 0.2, "none": None}
    assert dict(numbers(after)) == {"a/f1": 0.6, "a/r": 0.7, "a/n": 12.0, "a/p": 0.401, "new": 0.2}
    moves = moved(before, after)
    assert [(move.figure, round(move.by, 3)) for move in moves] == [("a/r", -0.2), ("a/f1", 0.1)]
    assert told(moves).splitlines()[0] == "moved against the stored results: 1 up, 1 down"


def test_local_folders_add_their_files_and_pool_with_the_shipped_ones(tmp_path: Path) -> None:
    fact = {"section": "findings", "status": "present", "name": "emphysema", "mention": "Emphysema",
            "sentence": "Emphysema.", "organ": "lung", "location": "", "side": None, "attributes": [],
            "certainty": "definite"}  # fmt: skip
    record = {"id": "x1", "modality": "CT", "register": "plain", "text": "Emphysema.", "facts": [fact]}
    (tmp_path / "own.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    row = {"uid": "1", "mesh": "normal", "findings": "The lungs are clear.", "impression": ""}
    (tmp_path / "iu").mkdir()
    (tmp_path / "iu" / "iu_reports.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    base = accuracy.Run(files={"first": [{**record, "id": "x0", "register": None}]})
    run = accuracy.local(base, tmp_path, tmp_path / "iu")
    assert run.results["gold"]["files"]["own"]["all"]["resolved"]["present"]["entity_f1"] == 1.0
    assert run.results["gold"]["pooled"]["all"]["reports"] == 2
    assert run.results["gold"]["registers"]["plain"]["all"]["reports"] == 1
    assert run.results["normals"]["iu"]["all"] == {
        "reports": 1, "false_facts": 0, "per_report": 0.0, "reports_with_any": 0, "read": 1.0
    }  # fmt: skip
    assert "labels" not in run.results
    assert "Emphysema" not in json.dumps(run.results)


def test_a_folder_without_the_reports_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no iu_reports\.jsonl"):
        accuracy.local(accuracy.Run(), None, tmp_path)
