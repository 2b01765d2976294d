"""The folder of a run: whose it is, where it goes on, and what is removed of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cabs.errors import InputError, OutputError
from cabs.training.arguments import unit_of
from cabs.training.config import Run, read_config
from cabs.training.outputs import begin, clear, newest
from tests.training.build import ROWS, config, lines


def run(folder: Path, **sections: Any) -> Run:
    return read_config(config(folder, **sections))


def checkpoint(folder: Path, step: int, state: str = "{}") -> Path:
    path = folder / f"checkpoint-{step}"
    path.mkdir(parents=True)
    (path / "trainer_state.json").write_text(state)
    return path


def test_a_folder_is_begun_once_and_gone_on_with(tmp_path: Path) -> None:
    begin(run(tmp_path), fresh=False)
    first = (tmp_path / "out" / "run.json").read_bytes()
    begin(run(tmp_path, trainer={"max_steps": 9}), fresh=False)
    assert (tmp_path / "out" / "run.json").read_bytes() == first


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"seed": 1}, r"seed \(0, now 1\)"),
        ({"reward": {"options": {"gamma": 0}}}, "another reward"),
        ({"method": "rloo"}, r"method \('grpo', now 'rloo'\)"),
        ({"model": {"path": "other"}}, r"model.path \('model', now 'other'\)"),
        ({"sft": {"abnormal_weight": 1.1}}, "another sft"),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path: Path, sections: dict[str, Any], said: str) -> None:
    begin(run(tmp_path), fresh=False)
    with pytest.raises(InputError, match=rf"run.yaml: .*another.*{said.removeprefix('another ')}.*--fresh"):
        begin(run(tmp_path, **sections), fresh=False)
    begin(run(tmp_path, **sections), fresh=True)


def test_data_count_by_what_is_in_them(tmp_path: Path) -> None:
    begin(run(tmp_path), fresh=False)
    lines(tmp_path / "train.jsonl", ROWS[:3])
    with pytest.raises(InputError, match=r"data.train"):
        begin(read_config(tmp_path / "run.yaml"), fresh=False)


def test_what_is_no_run_stays(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    for fresh in (False, True):
        with pytest.raises(OutputError, match="no run of cabs train"):
            begin(run(tmp_path), fresh=fresh)
    assert (tmp_path / "out" / "thesis.txt").read_text() == "mine"


def test_clearing_takes_what_a_run_made_and_nothing_else(tmp_path: Path) -> None:
    begin(run(tmp_path), fresh=False)
    out = tmp_path / "out"
    checkpoint(out, 2)
    checkpoint(out / "sft", 2)
    (out / "notes.txt").write_text("mine")
    begin(run(tmp_path, seed=1), fresh=True)
    assert sorted(p.name for p in out.iterdir()) == ["notes.txt", "run.json"]
    assert json.loads((out / "run.json").read_text())["seed"] == 1
    clear(out)
    assert [p.name for p in out.iterdir()] == ["notes.txt"]


def test_the_newest_checkpoint_that_is_whole(tmp_path: Path) -> None:
    assert newest(tmp_path) is None
    for step in (2, 10, 9):
        checkpoint(tmp_path, step)
    checkpoint(tmp_path, 12, '{"global_st')
    (tmp_path / "checkpoint-14").mkdir()
    (tmp_path / "checkpoint-last").mkdir()
    assert newest(tmp_path) == tmp_path / "checkpoint-10"


@pytest.mark.parametrize(("every", "accumulated"), [(a, b) for a in range(1, 9) for b in range(1, 9)])
def test_steps_and_generations_meet_where_it_is_said(every: int, accumulated: int) -> None:
    unit = unit_of(every, accumulated)
    meet = [step for step in range(1, 100) if step * accumulated % every == 0]
    assert unit is None or (meet[0] == unit and {step % unit for step in meet} == {0})
    assert (unit is None) == bool(every % accumulated and accumulated % every)
