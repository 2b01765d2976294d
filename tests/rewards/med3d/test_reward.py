"""Med3D-R1's reward: form, accuracy by each rule, the cuts of the logit, and what every reward promises."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import CabsError, SettingError
from cabs.rewards import Example, reward, score_batch
from cabs.rewards.med3d import conversation, quantised
from cabs.rewards.med3d.accuracy import literal_accuracy
from cabs.rewards.med3d.form import keeps_form, keeps_released_form, thought
from cabs.rewards.med3d.preset import COMPONENTS

OPTIONS = {"A": "Hiatal hernia", "B": "Atelectasis", "C": "Pleural effusion", "D": "Emphysema"}
FIELDS = {"question": "Which finding is present?", "options": OPTIONS, "answer": "D"}
RIGHT = "<think>Both lungs show emphysema.</think><answer>D</answer>"


def one(completion: object, name: str = "med3d", reference: object = "", **fields: object):
    return reward(name).score_batch([Example(completion, reference, fields={**FIELDS, **fields})])[0]


# completion → (our form, the released one)
FORMS = {
    "<think>a</think><answer>b</answer>": (True, True),
    " \n<think>a</think>\n\n<answer>b</answer>\n": (True, True),
    "<think>a < b</think><answer>b</answer>": (True, True),
    "<think> </think><answer>b</answer>": (False, False),
    "<think>a</think><answer></answer>": (False, False),
    "<answer>b</answer><think>a</think>": (False, False),
    "<think>a</think>": (False, False),
    "<answer>b</answer>": (False, False),
    "a<think>a</think><answer>b</answer>": (False, False),
    "<think>a</think> so <answer>b</answer>": (False, False),
    "<think>a</think><answer>b</answer>.": (False, False),
    "<think>a</think><answer>b</answer><answer>b</answer>": (False, False),
    "<think>a</think><think>a</think><answer>b</answer>": (False, False),
    "<think><b>a</b></think><answer>b</answer>": (False, False),
    "<think>a <findings></think><answer>b</answer>": (False, False),
    "<think>a <THINK></think><answer>b</answer>": (False, False),
    "<think><think>a</think><answer>b</answer>": (False, True),
    "<think>a</think> more </think><answer>b</answer>": (False, True),
    "": (False, False),
}


@pytest.mark.parametrize("text", FORMS)
def test_the_form_and_the_released_check_of_it(text: str) -> None:
    assert (keeps_form(text), keeps_released_form(text)) == FORMS[text]
    assert one(text).components["format"] == FORMS[text][0]
    assert one(text, "med3d:rule=released").components["format"] == FORMS[text][1]


# answer → accuracy by (tolerant, letter, released); the right one is D, "Emphysema"
ACCURACY = {
    "D": (1, 1, 0),
    " D ": (1, 1, 0),
    "d": (1, 0, 0),
    "(D)": (1, 0, 0),
    "D.": (1, 0, 0),
    "D)": (1, 0.5, 0),
    "D) Emphysema": (1, 0.5, 0),
    "D: Emphysema": (1, 0.5, 0),
    "D ) it": (1, 0.5, 0),
    "D) Atelectasis": (0, 0.5, 0),
    "Emphysema": (1, 0, 1),
    "emphysema": (1, 0, 0),
    "Emphysema: yes": (1, 0, 0.5),
    "Emphysema) x": (1, 0, 0.5),
    "The answer is D": (1, 0, 0),
    "C": (0, 0, 0),
    "C) Pleural effusion": (0, 0, 0),
    "C or D": (0, 0, 0),
    "not D": (0, 0, 0),
    "": (0, 0, 0),
}


@pytest.mark.parametrize("answer", ACCURACY)
def test_accuracy_by_each_rule(answer: str) -> None:
    text = f"<think>x</think><answer>{answer}</answer>"
    rules = ("tolerant", "letter", "released")
    found = tuple(one(text, f"med3d:consistency=none,rule={rule}").components["accuracy"] for rule in rules)
    assert found == ACCURACY[answer]


def test_where_an_answer_is_looked_for() -> None:
    assert literal_accuracy("<answer>A</answer><answer>D</answer>", "A") == 1
    assert literal_accuracy("D", "D") == 0
    for text, tolerant in (
        ("D", 1), ("<think>x</think>D", 1), ("<think><answer>D</answer></think><answer>A</answer>", 0),
        ("<think>D", 0), ("<think>x <answer>D</answer>", 1),
        ("<think>x</think><answer>D</answer><answer>A</answer>", 0),
    ):  # fmt: skip
        assert one(text).components["accuracy"] == tolerant, text


CUTS = [(-9.0, 0.0), (-1e-9, 0.0), (0.0, 0.2), (0.1999, 0.2), (0.2, 0.4), (0.4999, 0.4), (0.5, 0.6), (0.9999, 0.6),
        (1.0, 0.8), (1.5999, 0.8), (1.6, 1.0), (9.0, 1.0)]  # fmt: skip


@pytest.mark.parametrize(("logit", "value"), CUTS)
def test_the_logit_is_cut_as_released(logit: float, value: float) -> None:
    assert quantised(logit) == value
    found = one(RIGHT, "med3d:consistency=logit,logit=rm score", **{"rm score": logit})
    assert found.value == pytest.approx(2 + value)
    assert found.components["consistency"] == value


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_a_greater_logit_never_earns_less(a: float, b: float) -> None:
    assert quantised(min(a, b)) <= quantised(max(a, b))


def judge_by_length(messages) -> float:
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"] == "The correct answer is Emphysema"
    return len(messages[1]["content"]) / 100


def test_a_reward_model_of_yours() -> None:
    mine = reward("med3d", consistency="logit", logit=judge_by_length)
    (found,) = pickle.loads(pickle.dumps(mine)).score_batch([Example(RIGHT, fields=FIELDS)])
    assert found.components["consistency"] == quantised(len(RIGHT) / 100) == 0.6
    assert "logit:judge_by_length" in mine.signature
    assert conversation("q", "c", "x")[1] == {"role": "assistant", "content": "c"}
    (failed,) = reward("med3d", consistency="logit", logit=lambda m: float("nan")).score_batch(
        [Example(RIGHT, fields=FIELDS)]
    )
    assert (failed.value, failed.status) == (None, "error")
    assert "logit" in failed.reason


def test_ranges_and_signatures() -> None:
    assert reward("med3d").range == (0.0, 3.0)
    assert reward("med3d:consistency=none").range == (0.0, 2.0)
    assert reward("med3d", scale="unit").score_batch([Example(RIGHT, fields=FIELDS)])[0].value == 1.0
    assert "|onto:" in reward("med3d").signature
    assert "|onto:" not in reward("med3d:consistency=none").signature
    assert "rule:released" in reward("med3d:rule=released").signature
    assert pickle.loads(pickle.dumps(reward("med3d"))).score_batch([Example(RIGHT, fields=FIELDS)])[0].value == 3.0


WRONG = ["rule=strict", "consistency=both", "longest=0", "longest=x", "query=maybe", "form=tags", "gamma=1"]


@pytest.mark.parametrize("option", WRONG)
def test_wrong_options_are_refused(option: str) -> None:
    with pytest.raises(SettingError):
        reward(f"med3d:{option}")


def test_a_reward_model_that_is_not_used_is_refused() -> None:
    with pytest.raises(SettingError, match="not used"):
        reward("med3d", logit=judge_by_length)


REFERENCES = {
    "letter": "D",
    "text": "Emphysema",
    "record": {"options": OPTIONS, "answer": "D", "question": "Which?"},
    "record as JSON": json.dumps({"options": OPTIONS, "answer": "D", "question": "Which?"}),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_the_answer_may_come_as_the_reference(name: str) -> None:
    fields = {"options": list(OPTIONS.values())} if isinstance(REFERENCES[name], str) else {}
    (found,) = score_batch([Example(RIGHT, REFERENCES[name], fields=fields)], "med3d")
    assert (found.value, found.status) == (3.0, "ok")


ERRORS = {
    "options": ({"question": "?", "answer": "D"}, ""),
    "answer": ({"options": OPTIONS}, ""),
    "is no option": ({"options": OPTIONS}, "E"),
    "reference": ({"options": OPTIONS}, 7),
    "'logit'": (FIELDS, ""),
}


@pytest.mark.parametrize("word", ERRORS)
def test_samples_that_cannot_be_read_say_which_field(word: str) -> None:
    fields, reference = ERRORS[word]
    mine = reward("med3d:consistency=logit")
    example = Example(RIGHT, reference, fields=fields)
    found, good = mine.score_batch([example, Example(RIGHT, fields={**FIELDS, "logit": 1.0})])
    assert (found.value, found.status, good.status) == (None, "error", "ok")
    assert word in found.reason
    with pytest.raises(CabsError):
        mine.score_batch([example], strict=True)


def test_open_questions_are_unscorable_and_cut_ones_say_so() -> None:
    empty = {"question": "?", "answer": "x", "Choice A": "-", "Choice B": "-"}
    (found,) = reward("med3d").score_batch([Example(RIGHT, fields=empty)])
    assert (found.value, found.status) == (None, "unscorable")
    assert one("<think>so").status == "truncated"
    assert one(RIGHT, "med3d:longest=10").status == "truncated"
    (cut,) = reward("med3d").score_batch([Example(RIGHT, truncated=True, fields=FIELDS)])
    assert (cut.value, cut.status) == (3.0, "truncated")


def test_messages_queries_and_templates_that_open_the_thought() -> None:
    opened = RIGHT.removeprefix("<think>")
    assert one([{"role": "assistant", "content": RIGHT}]).value == 3.0
    assert (
        one(f"<|im_start|>user\nA or B?<|im_end|><|im_start|>assistant\n{RIGHT}<|im_end|>", "med3d:query=yes").value
        == 3
    )
    assert one(opened, "med3d:thinking=yes").value == 3.0
    assert one(opened).components["format"] == 0
    assert thought(opened) == "Both lungs show emphysema."


PIECES = st.sampled_from(
    ["<think>", "</think>", "<answer>", "</answer>", "D", "A) ", "emphysema ", "no ", "effusion. ", "İ", "\0", "<b>"]
)


@given(
    st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join), st.none()),
    st.sampled_from(["tolerant", "letter", "released"]),
    st.sampled_from(["reasoning", "logit", "none"]),
)
def test_every_value_lies_in_the_range(completion: object, rule: str, consistency: str) -> None:
    found = one(completion, f"med3d:rule={rule},consistency={consistency}", logit=0.3)
    assert found.status in ("ok", "truncated")
    assert tuple(found.components) == COMPONENTS
    assert 0 <= found.value <= (2 if consistency == "none" else 3)
    assert all(0 <= found.components[part] <= 1 for part in COMPONENTS if part != "stated")


@given(st.permutations("ABCD"))
def test_the_order_of_the_options_changes_nothing(labels: list[str]) -> None:
    options = dict(zip(labels, OPTIONS.values(), strict=True))
    right = next(label for label, text in options.items() if text == "Emphysema")
    for answer in ("{}", "{}) Emphysema", "Emphysema", "The answer is {}."):
        said = f"<think>There is emphysema, possibly atelectasis.</think><answer>{answer.format(right)}</answer>"
        found = one(said, options=options, answer=right)
        assert found.value == 3.0


@pytest.mark.parametrize("garbage", [3, object(), [1], [{"role": "user"}, 2], {"content": 5}])
def test_a_completion_that_is_none_is_an_error_of_its_own(garbage: object) -> None:
    assert one(garbage).status == "error"


HOSTILE = {
    "options": "<think>" + "a) a.a. " * 2400 + "</think><answer>D</answer>",
    "spaces": "<think>x" + " " * 19_000 + "</think><answer>D</answer>",
    "tags": "<think>" * 2800,
    "closed": "</think> " * 2200 + "<answer>D",
    "pairs": "<think>x</think>" + "<answer>D</answer>" * 1000,
    "findings": "<think>" + "There is emphysema, no emphysema. " * 550 + "</think><answer>D</answer>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_completions_are_scored(name: str) -> None:
    texts = {"A": "a", "B": "a.", "C": ".", "D": "a. a."} if name == "options" else OPTIONS
    assert one(HOSTILE[name], options=texts).status in ("ok", "truncated")
