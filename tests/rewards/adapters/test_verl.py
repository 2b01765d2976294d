"""verl: one sample a call, and what its trainers do with the answer."""

from __future__ import annotations

import copy
import importlib.util
import logging
import math
import sys

import numpy as np
import pytest

from cabs.errors import CabsError, SettingError
from cabs.rewards import reward
from cabs.rewards.adapters import verl
from tests.rewards.adapters.reports import HALF, NORMAL, ODD, RECORD, REFERENCE, WRONG, as_json
from tests.rewards.adapters.simulators import Verl, legacy_columns, v1_columns


def row(truth: object = REFERENCE, extra: dict | None = None) -> dict:
    return {"data_source": "reports", "reward_model": {"ground_truth": truth}, "extra_info": dict(extra or {})}


FUNCTIONS = [verl.compute_score, verl.compute_score_async]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_dictionary_that_both_trainers_can_use(function) -> None:
    truths = [REFERENCE, as_json(), None, "lorem ipsum", NORMAL]
    outputs = Verl(function).run([row(truth) for truth in truths], [REFERENCE, HALF, HALF, HALF, "<think>so"])
    keys = list(outputs[0]["reward_extra_info"])
    assert keys[0] == "score"
    assert all(list(output["reward_extra_info"]) == keys for output in outputs)
    assert {"reward", "acc", "pred"}.isdisjoint(keys)
    assert [key for key in keys[1:] if not key.startswith("cabs_")] == []
    columns = legacy_columns(outputs)
    assert v1_columns(outputs) == {"reward": columns["score"].tolist(), **{k: v.tolist() for k, v in columns.items()}}
    assert all(np.isfinite(column).all() and column.dtype == float for column in columns.values())
    assert columns["cabs_unscored"].tolist() == [0, 0, 1, 1, 0]
    assert columns["cabs_error"].tolist() == [0, 0, 1, 0, 0]
    assert columns["cabs_unscorable"].tolist() == [0, 0, 0, 1, 0]
    assert columns["cabs_truncated"].tolist() == [0, 0, 0, 0, 1]
    assert columns["score"][0] == 1.0 > columns["score"][1] > columns["score"][2] == 0.0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_number_alone(function) -> None:
    outputs = Verl(function, detail=False).run([row(), row()], [REFERENCE, HALF])
    assert [type(output["reward_score"]) for output in outputs] == [float, float]
    assert outputs[0]["reward_score"] == 1.0


def test_no_response_raises_and_all_are_finite() -> None:
    for response in ODD:
        found = verl.compute_score("reports", response, REFERENCE, {})
        assert all(type(value) is float and math.isfinite(value) for value in found.values())


@pytest.mark.parametrize(
    "given", [{}, {"extra_info": None}, {"extra_info": 5}, {"solution_str": None}, {"ground_truth": 7}]
)
def test_nothing_is_asked_of_the_data(given) -> None:
    assert verl.compute_score(**given)["cabs_unscored"] == 1.0


def test_the_fallback_is_the_least_value_unless_another_is_chosen() -> None:
    def score(**options) -> float:
        return verl.compute_score("reports", HALF, None, None, detail=False, **options)

    assert (score(), score(fallback=0.3), score(reward="tif_paper")) == (0.0, 0.3, 0.0)
    for wrong in (math.nan, math.inf, "low"):
        with pytest.raises(SettingError, match="fallback"):
            score(fallback=wrong)


def test_a_cut_answer_by_each_policy() -> None:
    def score(**options) -> dict:
        return verl.compute_score("reports", "<think>so", REFERENCE, None, fallback=0.4, **options)

    assert score()["score"] == 0.0
    assert (score(truncated="none")["score"], score(truncated="none")["cabs_unscored"]) == (0.4, 1.0)
    assert (score(truncated="zero")["score"], score(truncated="zero")["cabs_unscored"]) == (0.0, 0.0)
    with pytest.raises(SettingError, match="no policy"):
        score(truncated="drop")


def test_a_failure_raises_where_it_is_asked_for() -> None:
    assert verl.compute_score("r", REFERENCE, REFERENCE, None, raise_on_failure=True)["score"] == 1.0
    for truth in (None, "lorem ipsum"):
        with pytest.raises(CabsError, match="reward 'tif'"):
            verl.compute_score("r", HALF, truth, None, raise_on_failure=True)


def arrow(record: object) -> object:
    """A record as it comes back from Parquet: arrays of numpy, missing keys filled up with None."""
    if isinstance(record, dict):
        return {**{key: arrow(value) for key, value in record.items()}, "of another row": None}
    return np.array([arrow(item) for item in record], dtype=object) if isinstance(record, list) else record


@pytest.mark.parametrize("extra", [RECORD, arrow(RECORD)], ids=["json", "arrow"])
def test_the_facts_of_the_record_stand_for_its_text(extra) -> None:
    said = {**extra, "index": 3}
    for truth in (WRONG, None, ""):
        assert verl.compute_score("r", HALF, truth, said)["score"] > 0.5
        assert verl.compute_score("r", WRONG, truth, said)["score"] < 0.3


def test_a_record_without_facts_leaves_the_text() -> None:
    for extra in ({"info": None}, {"info": {"findings_abnormality_entity": None}}, {"info": {"age": 5}}, {"info": "x"}):
        assert verl.compute_score("r", REFERENCE, REFERENCE, extra)["score"] == 1.0


def test_a_broken_record_is_a_failure_and_never_a_normal_report() -> None:
    broken = {"info": {"findings_abnormality_entity": {"abnormalities": "none"}}}
    found = verl.compute_score("r", NORMAL, NORMAL, broken)
    assert (found["score"], found["cabs_error"]) == (0.0, 1.0)


def test_what_the_rollouts_share_is_left_as_it_is() -> None:
    extra = arrow({**RECORD, "list": [1, 2]})
    before = copy.deepcopy(extra)
    verl.compute_score("r", HALF, REFERENCE, extra)
    np.testing.assert_equal(extra, before)


def test_the_configuration_chooses_the_reward_and_typos_are_told(caplog) -> None:
    with caplog.at_level(logging.WARNING, "cabs.rewards"):
        outputs = Verl(verl.compute_score, reward="tif:gamma=0", gama=2, reward_router_address="x").run(
            [row()], [WRONG]
        )
    assert outputs[0]["reward_score"] > Verl(verl.compute_score).run([row()], [WRONG])[0]["reward_score"]
    assert [message for message in caplog.messages if "ignores gama, which reward tif:gamma=0 does not have" in message]
    with pytest.raises(SettingError, match="no reward"):
        verl.compute_score(reward="tiff")


def test_options_stand_beside_the_name_as_well() -> None:
    beside = Verl(verl.compute_score, gamma=0, rollout=object()).run([row()], [WRONG])
    assert beside == Verl(verl.compute_score, reward="tif:gamma=0").run([row()], [WRONG])
    with pytest.raises(SettingError, match="'much' is no number"):
        verl.compute_score(gamma="much")


def test_by_the_path_of_the_file_as_well() -> None:
    spec = importlib.util.spec_from_file_location("custom_module_17", verl.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert "custom_module_17" not in sys.modules
    outputs = Verl(module.compute_score_async).run([row()], [REFERENCE])
    assert outputs == Verl(verl.compute_score).run([row()], [REFERENCE])


def test_every_component_has_its_key() -> None:
    found = verl.compute_score("r", HALF, REFERENCE, None, reward="tif_paper", scale="unit")
    parts = [f"cabs_{name}" for name in reward("tif_paper").components]
    assert list(found) == ["score", *parts, "cabs_unscored", "cabs_unscorable", "cabs_truncated", "cabs_error"]
    assert 0.0 <= found["score"] <= 1.0


def test_questions_find_their_fields() -> None:
    extra = {"question": "Which one?", "options": {"A": "Emphysema", "B": "Atelectasis"}}
    said = "<think>Both upper lobes show emphysema.</think><answer>A</answer>"
    assert verl.compute_score("r", said, "A", extra, reward="med3d", detail=False) == 3.0
    assert verl.compute_score("r", said, "B", extra, reward="med3d", detail=False) < 3.0
