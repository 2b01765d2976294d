"""Steps of GRPO with TRL itself on a CPU; `make test-trl` runs this in an environment of its own."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence

import cloudpickle
import pytest
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer

from cabs.errors import InputError
from cabs.rewards import Example, Reward, RewardResult, reward
from cabs.rewards.adapters.trl import trl_reward, trl_reward_async
from tests.rewards.adapters.reports import REFERENCE

pytestmark = pytest.mark.filterwarnings("ignore")
"""Of torch, transformers and TRL, not ours to mend."""

PROMPT = "Write the report of this study."
ROWS = {
    "text": [{"prompt": PROMPT, "report": REFERENCE}] * 4,
    "messages": [{"prompt": [{"role": "user", "content": PROMPT}], "report": REFERENCE}] * 4,
}
SETTINGS = {
    "num_generations": 4,
    "per_device_train_batch_size": 4,
    "max_completion_length": 16,
    "max_steps": 2,
    "logging_steps": 1,
    "report_to": [],
    "save_strategy": "no",
    "use_cpu": True,
    "beta": 0.0,
    "learning_rate": 0.05,
    "seed": 3,
}


def varied(examples: Sequence[Example]) -> list[RewardResult]:
    """Values that differ from sample to sample, so that there is something to learn; none for the first one."""
    assert all(example.reference == REFERENCE for example in examples)
    none = RewardResult(None, {"place": 0.0}, "unscorable", "it is the first")
    return [none, *(RewardResult(at / len(examples), {"place": float(at)}) for at in range(1, len(examples)))]


VARIED = Reward(name="varied", label="varied", range=(0.0, 1.0), components=("place",), work=varied)


def trained(function, rows, tokenizer, model, folder, kind=GRPOTrainer, config=GRPOConfig, **more):
    trainer = kind(
        model=model,
        reward_funcs=function,
        args=config(str(folder), **{**SETTINGS, **more}),
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    return trainer


def logged(trainer) -> list[dict]:
    return [line for line in trainer.state.log_history if "reward" in line]


@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("make", [trl_reward, trl_reward_async])
def test_it_trains_and_logs(make, rows, tokenizer, model, tmp_path) -> None:
    function = make("tif", reference="report", eos_token_id=tokenizer.eos_token_id)
    trainer = trained(function, rows, tokenizer, model, tmp_path, log_completions=True)
    lines = logged(trainer)
    assert len(lines) == 2
    prefix = "cabs/tif.reference-report"
    wanted = (
        "mean",
        *reward("tif").components,
        "unscored",
        "unscorable",
        "truncated",
        "error",
        "dead",
        "repeated",
        "duplicates",
    )
    for line in lines:
        assert {f"{prefix}/{name}" for name in wanted} <= set(line)
        assert all(math.isfinite(line[f"{prefix}/{name}"]) for name in wanted)
        assert line["rewards/cabs_tif.reference-report/mean"] == pytest.approx(line[f"{prefix}/mean"], abs=1e-6)
        assert line[f"{prefix}/unscored"] == line[f"{prefix}/error"] == 0.0
        assert line[f"{prefix}/truncated"] == pytest.approx(line["completions/clipped_ratio"])
    extra = trainer._logs["extra"]
    assert {len(values) for values in extra.values()} == {len(trainer._logs["completion"])}
    assert set(extra[f"{prefix}/status"]) <= {"ok", "truncated"}


def test_the_reward_moves_the_model_and_a_missing_value_does_not(tokenizer, model, tmp_path) -> None:
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    trainer = trained(trl_reward(VARIED, reference="report"), ROWS["messages"], tokenizer, model, tmp_path)
    assert any((parameter != before[name]).any() for name, parameter in trainer.model.named_parameters())
    assert list(trainer._logs["extra"]["cabs/varied.reference-report/status"]) == ["unscorable", "ok", "ok", "ok"]
    first, *others = trainer._logs["advantages"]
    assert first == 0.0
    assert others == sorted(others)
    assert others[0] < 0.0 < others[-1]
    assert sum(others) == pytest.approx(0.0, abs=1e-5), "the missing value is not in the baseline"


def test_without_any_value_nothing_moves_and_nothing_breaks(tokenizer, model, tmp_path) -> None:
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    rows = [{**row, "report": "lorem ipsum"} for row in ROWS["messages"]]
    trainer = trained(trl_reward("tif", reference="report"), rows, tokenizer, model, tmp_path)
    assert all((parameter == before[name]).all() for name, parameter in trainer.model.named_parameters())
    assert [line["cabs/tif.reference-report/unscorable"] for line in logged(trainer)] == [1.0, 1.0]


def test_a_missing_column_stops_the_first_step_with_its_name(tokenizer, model, tmp_path) -> None:
    with pytest.raises(InputError, match=r"column 'reference'.*one of: report"):
        trained(trl_reward("tif"), ROWS["messages"], tokenizer, model, tmp_path)


def test_rloo_calls_in_the_same_way(tokenizer, model, tmp_path) -> None:
    function = trl_reward("tif", reference="report")
    trainer = trained(function, ROWS["messages"], tokenizer, model, tmp_path, RLOOTrainer, RLOOConfig)
    assert all("rewards/cabs_tif.reference-report/mean" in line for line in logged(trainer))


@pytest.mark.parametrize("make", [trl_reward, trl_reward_async])
def test_trl_names_and_awaits_them_before_and_after_pickling(make) -> None:
    from trl.trainer.utils import get_callable_name, is_async_callable

    made = make("tif", gamma=0)
    for one in (made, pickle.loads(pickle.dumps(made)), cloudpickle.loads(cloudpickle.dumps(made))):
        assert get_callable_name(one) == "cabs_tif.gamma-0"
        assert is_async_callable(one) == (make is trl_reward_async)
