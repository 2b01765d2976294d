"""What has to hold at scale, in small: the whole of it is measured by `make llm`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.llm.envelopes import spoilt
from benchmarks.llm.fuzz import Fuzz
from benchmarks.llm.kill import killed


def test_spoilt_answers_are_refused_or_hold() -> None:
    seen = Fuzz().run(3000, seed=1)
    assert sum(seen.values()) == 3000
    assert all(n > 100 for n in seen.values())


def test_spoilt_envelopes_are_failures_and_nothing_else() -> None:
    seen = spoilt(1000, seed=1)
    assert sum(seen.values()) == 1000
    assert seen["envelope failed"] > 500


def test_a_killed_run_asks_for_no_finished_answer_again(tmp_path: Path) -> None:
    found = killed(tmp_path, reports=40, kills=2)
    assert (found["kills"], found["finished_again"], found["lines"]) == (2, 0, 40)
    assert found["under_way_again"] <= found["most_under_way"]
    assert found["answers"] == 40 + found["under_way_again"]
