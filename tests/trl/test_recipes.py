"""The recipes that hand out tensors, over torch itself."""

from __future__ import annotations

import torch

from tests.rewards.adapters.recipes import recipe
from tests.rewards.adapters.reports import HALF, REFERENCE


def test_openrlhf_takes_single_numbers_out_of_tensors() -> None:
    found = recipe("cabs_openrlhf", torch).reward_func([HALF], ["p"], [REFERENCE])
    assert torch.tensor([found["rewards"]]).shape == (1,), "as its samples generator does"
    assert found["rewards"].dtype == torch.float32
    assert all(value.flatten()[0].item() == value.item() for value in found["extra_logs"].values())


def test_nemo_rl_gets_one_dimensional_tensors(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    environment = recipe("cabs_nemo", torch).ReportEnvironment()
    logs = [[{"role": "assistant", "content": said}] for said in (REFERENCE, HALF)]
    found = environment.step(logs, [{"reference": REFERENCE}] * 2)
    assert found.rewards.shape == found.terminateds.shape == (2,)
    assert environment.global_post_process_and_metrics({"rewards": found.rewards})[1]["cabs_reward"] > 0.5
