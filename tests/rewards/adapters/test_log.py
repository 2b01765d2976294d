"""The lines of means for trainers that plot the total alone."""

from __future__ import annotations

import json
import logging
import os
import shutil

import pytest

from cabs.errors import OutputError
from cabs.rewards import reward
from cabs.rewards.adapters.generic import RewardFunction
from cabs.rewards.adapters.log import EVERY, RewardLog, log_at
from cabs.rewards.adapters.means import FLAGS, means
from tests.rewards.adapters.reports import HALF, REFERENCE

TIF = reward("tif")


def lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_for_so_many_samples_and_the_rest_at_the_end(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    log, results = RewardLog(path, every=3), RewardFunction("tif").results([REFERENCE, HALF], [REFERENCE, None])
    for _ in range(3):
        log.add("tif", TIF, results)
    assert [(line["samples"], line["total"]) for line in lines(path)] == [(4, 4)]
    log.flush()
    log.flush()
    first, rest = lines(path)
    assert (rest["samples"], rest["total"]) == (2, 6)
    assert list(first) == ["reward", "process", "samples", "total", "mean", *TIF.components, *FLAGS]
    assert (first["reward"], first["process"], first["mean"], first["error"]) == ("tif", os.getpid(), 1.0, 0.5)


def test_rewards_share_a_file_and_stay_apart(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    log = RewardLog(path)
    for name in ("tif", "tif.gamma-0"):
        log.add(name, TIF, RewardFunction("tif").results([REFERENCE], [REFERENCE]))
    log.flush()
    assert [line["reward"] for line in lines(path)] == ["tif", "tif.gamma-0"]


def test_a_function_writes_its_log(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    function = RewardFunction("tif", log=str(path))
    function([HALF] * EVERY, [REFERENCE] * EVERY)
    assert lines(path)[0]["mean"] == pytest.approx(function([HALF], [REFERENCE])[0])
    log_at(str(path)).flush()
    assert lines(path)[1]["samples"] == 1


def test_a_folder_that_is_not_there_is_said_at_once_and_later_told(tmp_path, caplog) -> None:
    with pytest.raises(OutputError, match="make it first"):
        RewardLog(tmp_path / "no" / "log.jsonl")
    folder = tmp_path / "gone"
    folder.mkdir()
    function = RewardFunction("tif", log=str(folder / "log.jsonl"))
    shutil.rmtree(folder)
    with caplog.at_level(logging.WARNING, "cabs.rewards"):
        assert function([REFERENCE] * EVERY, [REFERENCE] * EVERY) == [1.0] * EVERY
    assert [message for message in caplog.messages if "could not be written" in message]


def test_the_means_of_nothing_are_the_same_keys() -> None:
    assert list(means(TIF, [])) == list(means(TIF, TIF.score_batch([])))
    assert set(means(TIF, []).values()) == {0.0}
