"""Every recipe of the page, in the call shape of its trainer."""

from __future__ import annotations

import ast
import asyncio
import math
import types

import pytest

from cabs.rewards.adapters.generic import RewardFunction
from tests.rewards.adapters.recipes import blocks, recipe
from tests.rewards.adapters.reports import HALF, PROMPT, REFERENCE, WRONG, as_json
from tests.rewards.adapters.simulators import easyr1, openrlhf, rubric, swift

TIF = RewardFunction("tif")
EXPECTED = TIF([HALF], [REFERENCE])[0]
QUERY = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n{}<|im_end|>"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_all_of_them_are_run_here() -> None:
    run = {"openrlhf", "swift", "easyr1", "nemo", "verifiers", "rubric", "skyrl"}
    assert set(blocks()) == {f"cabs_{name}.py" for name in run} | {"train_trl.py"}
    ast.parse(blocks()["train_trl.py"])


def test_openrlhf() -> None:
    reward_func = recipe("cabs_openrlhf").reward_func
    found = openrlhf(reward_func, QUERY.format(PROMPT, HALF), PROMPT, as_json())
    assert found["reward"] == found["score"] == EXPECTED
    assert found["cabs_hits"] == 2.0
    failed = openrlhf(reward_func, QUERY.format(PROMPT, HALF), PROMPT, None)
    assert (failed["reward"], failed["cabs_unscored"]) == (0.0, 1.0)
    assert list(failed) == list(found)


def test_ms_swift() -> None:
    cls = recipe("cabs_swift").Cabs
    rows = [{"solution": REFERENCE, "messages": [], "images": []}, {"solution": None, "messages": [], "images": []}]
    assert swift(cls, rows, [HALF, HALF]) == [EXPECTED, 0.0]
    assert swift(cls, rows, [HALF, HALF], is_truncated=[True, False]) == [EXPECTED, 0.0]
    assert all(map(math.isfinite, swift(cls, rows, ["", "x" * 100_000])))


def test_easyr1() -> None:
    module = recipe("cabs_easyr1")
    assert (module.REWARD_NAME, module.REWARD_TYPE) == ("cabs", "batch")
    found = easyr1(module.compute_score, [REFERENCE, HALF, WRONG], [REFERENCE, as_json(), "lorem ipsum"], other=1)
    assert found["overall"] == [1.0, EXPECTED, 0.0]
    assert found["cabs_unscored"] == [0.0, 0.0, 1.0]
    assert next(iter(found)) == "overall"


def test_nemo_rl() -> None:
    environment = recipe("cabs_nemo").ReportEnvironment({"num_workers": 1})
    logs = [
        [{"role": "user", "content": PROMPT, "token_ids": object()}, {"role": "assistant", "content": said}]
        for said in (REFERENCE, HALF, "")
    ]
    metadata = [{"reference": REFERENCE}, {"reference": as_json()}, {"reference": None}]
    found = environment.step(logs, metadata)
    assert found.rewards.tolist() == [1.0, EXPECTED, 0.0]
    assert {len(part) for part in found if part is not None} == {3}
    assert found.metadata is metadata
    batch, metrics = environment.global_post_process_and_metrics({"rewards": found.rewards})
    assert metrics == {"cabs_reward": pytest.approx((1 + EXPECTED) / 3)}
    assert batch["rewards"] is found.rewards


def test_verifiers() -> None:
    module = recipe("cabs_verifiers")

    def scored(said: str, reference: object) -> types.SimpleNamespace:
        trace = types.SimpleNamespace(last_reply=said, metrics={}, reward=None, error=None)
        return asyncio.run(module.ReportTask(module.ReportData(reference=reference)).score(trace))

    good = scored(HALF, REFERENCE)
    assert (good.reward, good.error) == (EXPECTED, None)
    assert good.metrics["cabs_hits"] == 2.0
    failed = scored(HALF, "lorem ipsum")
    assert failed.reward is None
    assert "was not read" in str(failed.error)


def test_the_older_rubric_of_verifiers() -> None:
    function = recipe("cabs_rubric").cabs
    messages = [{"role": "assistant", "content": HALF}]
    assert asyncio.run(rubric(function, messages, REFERENCE)) == EXPECTED
    assert asyncio.run(rubric(function, HALF, as_json())) == EXPECTED
    assert asyncio.run(rubric(function, HALF, None)) == 0.0


def test_skyrl() -> None:
    cls = recipe("cabs_skyrl").ReportEnv
    found = cls(env_config={}, extras={"reward_spec": {"ground_truth": REFERENCE}}).step(HALF)
    assert (found["reward"], found["done"], found["observations"]) == (EXPECTED, True, [])
    assert found["metadata"]["cabs_hits"] == 2.0
