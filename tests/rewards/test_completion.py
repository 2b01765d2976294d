"""What frameworks hand over as a completion, and the answer in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import InputError
from cabs.rewards.completion import Answer, answer_of

REPORT = "<findings>A</findings><impression>B</impression>"


@pytest.mark.parametrize(
    "completion",
    [
        REPORT,
        f"  {REPORT}\n",
        {"role": "assistant", "content": REPORT},
        [{"role": "assistant", "content": REPORT}],
        [{"role": "assistant", "content": [{"type": "text", "text": REPORT}]}],
        [{"role": "assistant", "content": "a first try"}, {"role": "assistant", "content": REPORT}],
        [{"role": "assistant", "content": REPORT}, {"role": "tool", "content": "ok"}],
        [{"content": REPORT}],
        f"{REPORT}<|im_end|><|endoftext|><|endoftext|>",
        f"{REPORT}</s>",
        f"{REPORT}<|eot_id|>assistant says more",
        f"<think>maybe</think>{REPORT}",
        f"maybe, the template opened the thought</think>\n\n{REPORT}",
        f"<think>a</think> no <think>b</think>{REPORT}",
        f"<think><findings>draft</findings></think>{REPORT}",
    ],
)
def test_the_answer_is_found(completion: object) -> None:
    assert answer_of(completion) == Answer(REPORT, answer_of(completion).whole)


@pytest.mark.parametrize("completion", [None, "", "  ", [], {"role": "assistant", "content": None}])
def test_there_may_be_none(completion: object) -> None:
    assert answer_of(completion) == Answer("", "")


@pytest.mark.parametrize("prompt", ["Write <findings>...</findings>. ", ""])
@pytest.mark.parametrize(
    "header",
    [
        "<|im_start|>assistant\n",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<start_of_turn>model\n",
        "[/INST]",
        "<\uff5cAssistant\uff5c>",
        "<|start|>assistant<|channel|>final<|message|>",
    ],
)
def test_a_query_ends_with_the_turn_of_the_model(prompt: str, header: str) -> None:
    query = f"<s>{prompt}<|image_pad|><|image_pad|>{header}{REPORT}<|im_end|>"
    assert answer_of(query, query=True).text == REPORT


def test_a_completion_is_no_query() -> None:
    """What a model writes must not be able to hide what it wrote before."""
    assert "spray" in answer_of(f"spray [/INST]{REPORT}").text


def test_a_thought_that_does_not_end_is_no_answer() -> None:
    assert answer_of(f"<think>on and on {REPORT}") == Answer("", f"<think>on and on {REPORT}", cut=True)
    assert answer_of(REPORT, thinking=True).cut
    assert answer_of(f"<think>a</think><think>b {REPORT}").cut
    assert not answer_of(f"a</think>{REPORT}", thinking=True).cut


@pytest.mark.parametrize(
    "completion", [5, [REPORT], [{"content": 5}], {"content": {"text": "a"}}, [None], {"facts": []}]
)
def test_what_is_no_completion_is_told(completion: object) -> None:
    with pytest.raises(InputError, match="completion: "):
        answer_of(completion)


def test_channels_are_thoughts() -> None:
    thought = "<|channel|>analysis<|message|>maybe <findings>a</findings><|end|>"
    final = f"<|start|>assistant<|channel|>final<|message|>{REPORT}<|return|>"
    assert answer_of(thought + final).text == REPORT
    assert (
        answer_of(f"<|start|>user<|message|>Write<|end|><|start|>assistant{thought}{final}", query=True).text == REPORT
    )
    assert answer_of(thought).cut
    assert answer_of(f"<thinking>a</thinking>{REPORT}").text == REPORT


def test_a_query_in_an_unknown_template_is_told() -> None:
    """Otherwise the prompt would be scored, and its tags lose every sample."""
    with pytest.raises(InputError, match="no turn of the model"):
        answer_of(f"USER: write <findings>...</findings> ASSISTANT: {REPORT}", query=True)


@given(st.text(), st.booleans())
def test_any_text_has_an_answer(text: str, thinking: bool) -> None:
    found = answer_of(text, thinking=thinking)
    assert found.text in found.whole
    assert len(found.whole) <= len(text)
