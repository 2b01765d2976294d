"""What was written about held-out rows: scored once each, kept as lines, and forgotten where a run goes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cabs
from cabs.rewards.adapters.trl import trl_reward
from cabs.training.held_out import HeldOut, forget_after, scored, write_evaluation, written
from tests.training.build import REPORTS

FACTS = json.dumps({"findings_abnormality_entity": {"abnormalities": [{"name": "lung nodule"}]}})


def told(key: str, reference: str, completion: str) -> dict[str, str]:
    return {"id": key, "reference": reference, "completion": completion}


def test_the_scores_are_those_of_cabs_score() -> None:
    texts = [told("a", REPORTS[0], REPORTS[0]), told("b", REPORTS[1], REPORTS[2])]
    found, signature = scored([*texts, texts[1]], ["f1", "cabs_score"])
    direct = cabs.score([(t["reference"], t["completion"]) for t in texts])
    assert found == {name: direct.scores[name] for name in ("f1", "cabs_score")}
    assert signature.startswith("cabs:")
    assert 0 < found["f1"] < 1


def test_undefined_metrics_are_left_out_and_facts_are_references() -> None:
    assert scored([told("a", REPORTS[2], REPORTS[2])], ["f1"])[0] == {}
    assert scored([told("a", FACTS, "There is a lung nodule.")], ["f1"])[0] == {"f1": 1.0}


def test_no_text_stops_an_evaluation() -> None:
    wild = [written(text) for text in ("\0", "a\ud800", "", "{", "[1]", "\ufffd" * 9, "<findings>")]
    found, _ = scored([told(str(at), REPORTS[0], text) for at, text in enumerate(wild)], ["f1"])
    assert found == {"f1": 0.0}


def test_the_reward_keeps_what_it_is_shown_while_it_is_open() -> None:
    held_out = HeldOut(trl_reward("tif"))
    batch = {"prompts": ["?"], "completions": [[{"role": "assistant", "content": REPORTS[0]}]], "id": ["a"]}
    assert held_out(**batch, reference=[REPORTS[0]]) == [1.0]
    held_out.open = True
    held_out(**batch, reference=[REPORTS[0]])
    assert held_out.taken() == [told("a", REPORTS[0], REPORTS[0])]
    assert held_out.taken() == []


def test_lines_of_later_steps_are_forgotten(tmp_path: Path) -> None:
    texts = [told("b", "r", "s"), told("a", "r", "s"), told("b", "r", "s")]
    for step in (2, 4, 6):
        write_evaluation(tmp_path, step, {"f1": 0.5}, "cabs:1", texts, whole=step != 4)
    with (tmp_path / "evaluation.jsonl").open("a") as handle:
        handle.write('{"step": 6, "cut')
    forget_after(tmp_path, 4)
    lines = [json.loads(line) for line in (tmp_path / "evaluation.jsonl").read_text().splitlines()]
    assert [(line["step"], line["rows"], line["f1"]) for line in lines] == [(2, 2, 0.5), (4, 2, 0.5)]
    kept = [json.loads(line) for line in (tmp_path / "held_out.jsonl").read_text().splitlines()]
    assert [(line["step"], line["id"]) for line in kept] == [(2, "a"), (2, "b")]
    forget_after(tmp_path, -1)
    assert (tmp_path / "evaluation.jsonl").read_text() == ""


def test_a_folder_without_lines_stays_so(tmp_path: Path) -> None:
    forget_after(tmp_path, 3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "plain", "µ → 9 mm"])
def test_what_is_a_text_stays_as_it_is(text: str) -> None:
    assert written(text) == text
