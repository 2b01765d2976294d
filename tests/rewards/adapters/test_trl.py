"""TRL: its call shapes, what it is told, and what it never sees."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest

from cabs.errors import InputError, OutputError, SettingError
from cabs.rewards import reward
from cabs.rewards.adapters.trl import trl_reward, trl_reward_async
from tests.rewards.adapters.reports import BROKEN, FIELDS, HALF, ODD, PROMPT, REFERENCE, WRONG, as_json
from tests.rewards.adapters.simulators import Trl, async_grpo

ROW = {"prompt": PROMPT, "reference": REFERENCE, "videos": ["a.npy"], "images": [object()], "self": 1, "call": 2}
CHAT = {**ROW, "prompt": [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": PROMPT}]}]}


def said(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


@pytest.mark.parametrize("make", [trl_reward, trl_reward_async])
@pytest.mark.parametrize("logs", [True, False], ids=["1.16", "0.24"])
def test_text_and_messages_are_worth_the_same(make, logs: bool) -> None:
    texts, function = [REFERENCE, HALF, WRONG, ""], make("tif")
    plain = Trl(4, logs).rewards(function, [ROW], texts)
    assert plain == Trl(4, logs).rewards(function, [CHAT], [said(text) for text in texts])
    assert plain == Trl(4, logs).rewards(function, [CHAT], texts), "Unsloth: messages in the data, text in the call"
    assert plain[0] == 1.0
    assert plain == sorted(plain, reverse=True)
    expected = [r.value for r in reward("tif").score_batch([_example(text) for text in texts])]
    assert plain == np.asarray(expected, dtype=np.float32).tolist()


def _example(text: str):
    from cabs.rewards import Example

    return Example(text, REFERENCE)


def test_an_async_group_of_one_prompt() -> None:
    functions = [trl_reward("tif"), trl_reward_async("tif")]
    found = async_grpo(functions, [PROMPT] * 3, [REFERENCE, HALF, None], reference=[REFERENCE] * 3)
    assert found[0].tolist() == found[1].tolist()
    assert found[0][0] == 1.0 > found[0][1] > found[0][2] >= 0.0


def test_only_the_async_one_is_awaited() -> None:
    assert inspect.iscoroutinefunction(trl_reward_async("tif").__call__)
    assert not inspect.iscoroutinefunction(trl_reward("tif").__call__)


def test_no_completion_raises_and_none_is_a_bad_report() -> None:
    rank = Trl()
    rows = [{"prompt": PROMPT, "reference": REFERENCE}] * len(ODD)
    found = dict(zip(map(repr, ODD), rank.rewards(trl_reward("tif"), rows, ODD), strict=True))
    unread = [repr(one) for one in ODD if not isinstance(one, str | list) and one is not None] + ["[5]"]
    assert {key for key, value in found.items() if math.isnan(value)} == set(unread)
    assert found[repr(ODD[5])] == 1.0, "what stands in a thought is no answer"
    assert found["'<think>It never ends'"] == 0.0


REFERENCES = [
    REFERENCE,
    as_json(),
    {"report": REFERENCE, "other": None},
    None,
    "",
    "lorem ipsum",
    7,
    np.nan,
    {"a": 1},
    [3],
]


def test_references_in_every_shape() -> None:
    rank = Trl()
    rows = [{"prompt": PROMPT, "reference": given} for given in REFERENCES]
    found = rank.rewards(trl_reward("tif"), rows, [REFERENCE] * len(rows))
    assert found[:3] == [1.0, 1.0, 1.0]
    assert all(map(math.isnan, found[3:])), "no value, and never 0"
    status = rank.extra["cabs/tif/status"]
    assert (status[:3], status[4], status[5], status[6]) == (["ok"] * 3, "unscorable", "unscorable", "error")
    assert all(bool(why) == (how != "ok") for how, why in zip(status, rank.extra["cabs/tif/reason"], strict=True))


@pytest.mark.parametrize("column", [np.array([REFERENCE, HALF], dtype=object), (REFERENCE, HALF)])
def test_columns_of_any_sequence(column) -> None:
    assert trl_reward("tif")(completions=[REFERENCE, HALF], reference=column) == [1.0, 1.0]


def test_a_missing_column_is_named_with_those_that_are_there() -> None:
    with pytest.raises(
        InputError, match=r"column 'report': the batch has no such column.*one of: call, images, reference"
    ):
        Trl().rewards(trl_reward("tif", reference="report"), [ROW], [HALF])
    with pytest.raises(InputError, match="none beside the prompt"):
        Trl(logs=False).rewards(trl_reward("tif"), [{"prompt": "p"}], [HALF])
    with pytest.raises(InputError, match="2 items for 1 completions"):
        trl_reward("tif")(completions=[HALF], reference=[HALF, HALF])
    with pytest.raises(InputError, match="a list of 1 items"):
        trl_reward("tif")(completions=[HALF], reference=HALF)


@pytest.mark.parametrize("broken", BROKEN.values(), ids=list(BROKEN))
def test_a_reward_that_breaks_gives_no_values_and_no_error(broken) -> None:
    rank = Trl()
    assert all(map(math.isnan, rank.rewards(trl_reward(broken), [ROW] * 2, [HALF, HALF])))
    assert rank.flushed()["cabs/own/error"] == 1.0
    assert all(map(math.isfinite, rank.flushed().values()))


def test_a_reward_finds_the_other_columns_of_its_sample() -> None:
    rows = [{**ROW, "weight": weight} for weight in (0.25, 0.75)]
    assert Trl().rewards(trl_reward(FIELDS), rows, [HALF, HALF]) == [0.25, 0.75]


def test_the_same_metrics_whatever_the_batch_is() -> None:
    good, bad, mixed = Trl(2), Trl(2), Trl(2)
    function = trl_reward("tif")
    good.rewards(function, [ROW], [REFERENCE, HALF])
    bad.rewards(function, [{**ROW, "reference": None}], [5, None])
    mixed.rewards(function, [ROW, {**ROW, "reference": ""}], [REFERENCE, HALF, HALF, HALF])
    assert list(good.metrics) == list(bad.metrics) == list(mixed.metrics)
    assert list(good.extra) == list(bad.extra)
    assert {len(values) for values in mixed.extra.values()} == {4}
    flushed = mixed.flushed()
    assert flushed["cabs/tif/unscorable"] == flushed["cabs/tif/unscored"] == 0.5
    assert flushed["cabs/tif/mean"] == good.flushed()["cabs/tif/mean"], "a mean over what has a value"
    assert bad.flushed()["cabs/tif/error"] == 1.0
    assert bad.flushed()["cabs/tif/mean"] == 0.0
    assert set(flushed) >= {f"cabs/tif/{name}" for name in (*reward("tif").components, "truncated", "dead")}


def test_dead_groups_and_duplicates_are_counted_by_prompt_and_reference() -> None:
    rank = Trl(2)
    other = {**ROW, "reference": HALF}
    rank.rewards(trl_reward("tif"), [ROW, other], [HALF, f"  {HALF}", HALF, WRONG])
    assert rank.flushed()["cabs/tif/dead"] == 0.5
    assert rank.flushed()["cabs/tif/duplicates"] == 0.25
    fresh = Trl(1)
    pictures = [{**CHAT, "prompt": [{"role": "user", "content": [{"image": object()}, {"text": "p"}]}]} for _ in "ab"]
    fresh.rewards(trl_reward("tif"), pictures, [HALF, HALF])
    assert fresh.flushed()["cabs/tif/duplicates"] == 0.5, "decoded anew, it is the same prompt"


@pytest.mark.parametrize(("truncated", "expected"), [("score", 1.0), ("none", None), ("zero", 0.0)])
def test_a_completion_without_its_end_was_cut(truncated: str, expected) -> None:
    function = trl_reward("tif", truncated=truncated, eos_token_id=[2, 3])
    ids = [[5, 2], np.array([5, 6]), [5, 3, 0, 0], []]
    found = function(completions=[REFERENCE] * 4, completion_ids=ids, reference=[REFERENCE] * 4)
    assert found == [1.0, expected, 1.0, 1.0]
    unknown = trl_reward("tif", truncated=truncated)
    assert unknown(completions=[REFERENCE], completion_ids=[[5]], reference=[REFERENCE]) == [1.0]


def test_a_thought_without_an_end_is_cut_whatever_the_ids_say() -> None:
    rank = Trl()
    found = rank.rewards(trl_reward("tif", truncated="none"), [ROW], ["<think>so"], [[2]])
    assert math.isnan(found[0])
    assert rank.flushed()["cabs/tif.truncated-none/truncated"] == 1.0


def test_no_completions_are_no_values() -> None:
    rank = Trl()
    logs = {"log_metric": lambda n, v: rank.metrics[n].append(v), "log_extra": lambda n, v: rank.extra[n].extend(v)}
    assert trl_reward("tif")(prompts=[], completions=[], reference=[], **logs) == []
    assert (rank.metrics, rank.extra) == ({}, {})


def test_other_options_have_other_names() -> None:
    made = [
        trl_reward("tif"),
        trl_reward("tif", gamma=0),
        trl_reward("tif", gamma=0.5),
        trl_reward("tif:gamma=1"),
        trl_reward("tif", truncated="none"),
        trl_reward("tif", reference="report"),
        trl_reward("tif_paper"),
        trl_reward("tif_paper", scale="unit"),
        trl_reward("rouge_l"),
    ]
    names = [function.__name__ for function in made]
    assert len(set(names)) == len(names)
    assert names[:2] == ["cabs_tif", "cabs_tif.gamma-0"]
    assert trl_reward("tif", gamma=0, name="no cost").__name__ == "cabs_no_20_cost"
    assert trl_reward("tif:gamma=0").__name__ == trl_reward_async("tif", gamma=0).__name__ == names[1]


def test_what_is_wrong_with_the_options_is_said_at_once(tmp_path) -> None:
    for wrong in ({"gama": 1}, {"truncated": "drop"}, {"scale": "percent"}):
        with pytest.raises(SettingError):
            trl_reward("tif", **wrong)
    with pytest.raises(SettingError, match="did you mean 'tif'"):
        trl_reward("tiff")
    with pytest.raises(SettingError, match="takes no gamma"):
        trl_reward(reward("tif"), gamma=1)
    with pytest.raises(SettingError, match="concurrency"):
        trl_reward_async("tif", concurrency=0)
    with pytest.raises(OutputError, match="no such folder"):
        trl_reward("tif", log=str(tmp_path / "none" / "log.jsonl"))


def test_another_scale_and_a_metric_as_reward() -> None:
    unit = trl_reward("tif_paper", scale="unit")(completions=[REFERENCE], reference=[REFERENCE])
    assert 0.9 < unit[0] <= 1.0
    assert trl_reward("rouge_l")(completions=[REFERENCE, "x"], reference=[REFERENCE] * 2) == [1.0, 0.0]


def test_questions_find_their_columns() -> None:
    row = {"prompt": PROMPT, "question": "Which one?", "options": {"A": "Emphysema", "B": "Atelectasis"}, "answer": "A"}
    said = "<think>Both upper lobes show emphysema.</think><answer>{}</answer>"
    rank = Trl(2)
    right, wrong = rank.rewards(trl_reward("med3d", reference="answer"), [row], [said.format("A"), said.format("B")])
    assert right == 3.0 > wrong
    assert rank.flushed()["cabs/med3d.reference-answer/accuracy"] == 0.5
