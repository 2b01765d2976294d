"""What a batch gives is what its examples give, in any order, thread and process."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabs.rewards import Example, Reward, RewardResult, reward
from cabs.rewards.registered import BUILTIN
from cabs.rewards.result import STATUSES
from cabs.testing.rewards import examples

NAMES = (
    "tif",
    "tif_paper",
    "tif_no_running_cost",
    "tif_no_control_effort",
    "cabs_f1",
    "fc_f1",
    "cabs_score",
    "rouge_l",
)
REPORT_NAMES = NAMES[:-1]


@cache
def batch() -> tuple[Example, ...]:
    return tuple(examples()[:24])


def values(made: Reward, given: Sequence[Example]) -> list[RewardResult]:
    return made.score_batch(given)


@pytest.mark.parametrize("name", NAMES)
def test_batch_single_and_threads_are_one(name: str) -> None:
    made = reward(name)
    whole = values(made, batch())
    assert any(result.value not in (None, 0.0, 1.0) for result in whole)
    assert [values(made, [example])[0] for example in batch()] == whole
    assert values(made, batch()) == whole
    assert values(made, batch()[::-1]) == whole[::-1]
    with ThreadPoolExecutor(32) as pool:
        runs = list(pool.map(lambda _: values(made, batch()), range(32)))
    assert all(run == whole for run in runs)


def test_no_process_gives_another_value() -> None:
    code = """
import json
from cabs.rewards import reward
from cabs.testing.rewards import examples
found = {{name: reward(name).score_batch(examples()[:24]) for name in {names}}}
print(json.dumps({{name: [[r.value, list(r.components.items())] for r in found[name]] for name in found}}))
"""
    runs = set()
    for seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code.format(names=list(NAMES))]
        runs.add(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    here = {n: [[r.value, [list(c) for c in r.components.items()]] for r in values(reward(n), batch())] for n in NAMES}
    assert [json.loads(run) for run in runs] == [here]


SENTENCES = (
    "There is a 9 mm nodule in the right upper lobe.",
    "Small left pleural effusion.",
    "The liver is enlarged.",
    "No pneumothorax.",
    "There is a 25 mm cyst in the left kidney.",
    "Possible gallstones.",
    "The spleen is unremarkable.",
    "Bilateral lower lobe atelectasis.",
)
OTHERS = ("A 4 mm nodule is seen in the left lower lobe.", "Moderate ascites.", "Small right pleural effusion.")
orders = st.permutations(SENTENCES)
subsets = st.lists(st.sampled_from([*SENTENCES, *OTHERS]), unique=True, min_size=1)


def tagged(sentences: Sequence[str]) -> str:
    return f"<findings>{' '.join(sentences)}</findings><impression>Nodule.</impression>"


@settings(max_examples=25)
@given(st.data(), subsets)
def test_the_order_of_sentences_plays_no_part(data: st.DataObject, said: list[str]) -> None:
    """For all but the released formula, which goes by the order of the reference, and by nothing else."""
    moved, reference = data.draw(st.permutations(said)), data.draw(orders)
    for name in REPORT_NAMES:
        made = reward(name)
        before, after = values(
            made, [Example(tagged(said), tagged(SENTENCES)), Example(tagged(moved), tagged(SENTENCES))]
        )
        assert before == after, name
        if name != "tif_paper":
            assert values(made, [Example(tagged(moved), tagged(reference))])[0] == after, name


INSTALLED = [name for name, target in BUILTIN.items() if find_spec(target.partition(":")[0].rpartition(".")[0])]


def test_the_rewards_that_are_there() -> None:
    assert set(REPORT_NAMES) <= set(INSTALLED)


@pytest.mark.parametrize("name", [*INSTALLED, "rouge_l"])
def test_every_reward_crosses_a_process_border(name: str) -> None:
    made = reward(name)
    copy = pickle.loads(pickle.dumps(made))
    assert (copy.name, copy.range, copy.components, copy.signature) == (
        made.name,
        made.range,
        made.components,
        made.signature,
    )
    assert values(copy, batch()[:4]) == values(made, batch()[:4])


@pytest.mark.parametrize("name", NAMES)
def test_every_status_has_every_component(name: str) -> None:
    made, (completion, reference) = reward(name), (batch()[0].completion, batch()[0].reference)
    asked = {
        "ok": Example(completion, reference),
        "truncated": Example(completion, reference, truncated=True),
        "unscorable": Example(completion, "xyz"),
        "error": Example(5, reference),
    }
    assert set(asked) == set(STATUSES)
    found = dict(zip(asked, values(made, list(asked.values())), strict=True))
    for status, result in found.items():
        if (name, status) != ("rouge_l", "unscorable"):  # words can be compared without being understood
            assert result.status == status
            assert (result.value is None) == (status in ("unscorable", "error"))
        assert tuple(result.components) == made.components


@pytest.mark.parametrize("name", NAMES)
def test_the_unit_scale_is_the_same_value_stretched(name: str) -> None:
    low, high = reward(name).range
    assert low is not None
    assert high is not None
    for raw, unit in zip(values(reward(name), batch()), values(reward(name, scale="unit"), batch()), strict=True):
        assert raw.value is not None
        assert unit.value is not None
        assert 0.0 <= unit.value <= 1.0
        assert unit.value == pytest.approx((raw.value - low) / (high - low), abs=1e-12)
        assert unit.components == raw.components
