"""The divergence benchmark, made small: a model learns to report toy scans, then trains with two rewards."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from benchmarks.divergence import plan as plans
from benchmarks.divergence import world as worlds
from benchmarks.divergence.__main__ import figures
from benchmarks.divergence.judge import curve
from benchmarks.divergence.page import page
from benchmarks.divergence.reading import Reading
from benchmarks.divergence.runs import RunFailedError, train
from tests.train.test_run import history

PLAN, WORLD = plans.load(quick=True), worlds.load()
READ = Reading(WORLD)


def test_a_small_plan_is_run_judged_and_not_run_again(tmp_path: Path) -> None:
    """What is asserted holds for any seed that was tried; by how much a reward helps is the whole plan's to say."""
    told: list[str] = []
    jobs = train(PLAN, WORLD, tmp_path, told.append)
    tif, rouge = (curve(job, READ) for job in jobs)
    last = PLAN.trainer["max_steps"]
    assert tif[0] == rouge[0], "all rewards begin with the same model"
    assert tif[0]["f1"] > 0.25, "the cold start reads scans"
    assert tif[0]["strange"] < 0.25
    assert tif[last] != rouge[last]
    rewards = [line["reward"] for line in history(jobs[0].output, last) if "reward" in line]
    assert fmean(rewards[-2:]) > fmean(rewards[:2]), "the reward is learnt"
    stored = figures(PLAN, jobs, READ)
    assert len(page(stored).splitlines()) == 2 + 1 + len(jobs)
    assert sorted(stored["likeliest"]) == sorted(PLAN.rewards)
    assert len(told) == len(jobs)
    train(PLAN, WORLD, tmp_path, told.append)
    assert len(told) == len(jobs), "what is finished is not run again"


def test_a_run_that_fails_says_where_it_tells_why(tmp_path: Path) -> None:
    broken = PLAN.model_copy(update={"trainer": {**PLAN.trainer, "no_such_key": 1}, "rewards": {"tif": "tif"}})
    with pytest.raises(RunFailedError, match=r"tif, seed 0: exit 1, see .*tif\.log"):
        train(broken, WORLD, tmp_path, lambda _: None)
    assert "no_such_key" in (tmp_path / "seed-0" / "tif.log").read_text(encoding="utf-8")
