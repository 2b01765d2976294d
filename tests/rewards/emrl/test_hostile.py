"""Whatever a policy writes, a sample takes no other with it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabs.rewards import Example, reward

EMRL = reward("emrl")
TUMOR = "There is a 2 cm mass in the liver."
FLOOD = 20_000

TEXTS = [
    "<findings>" * FLOOD,
    "</findings>" * FLOOD,
    "<key_slice>" * FLOOD,
    "<key_slice>1</key_slice>" * FLOOD,
    "< " * FLOOD + "findings>",
    "<bbox>[" + "1," * FLOOD + "1]</bbox>",
    f"<key_slice>{'9' * FLOOD}</key_slice>",
    "<findings><impression></findings></impression>",
    "<findings>\0</findings>",
    "<findings>\ud800</findings><impression>mass</impression>",
    "<key_slice>" + " " * FLOOD + "1</key_slice>",
    "<think>" * FLOOD,
    "mass " * FLOOD,
    "(" * FLOOD,
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_flood_is_scored_or_told(text: str) -> None:
    (found,) = EMRL.score_batch([Example(text, TUMOR, fields={"reference_key_slice": 3, "local_description": text})])
    assert found.status in ("ok", "truncated", "error")
    assert (found.value is None) == (found.status == "error")


PIECES = (
    "<findings>", "</findings>", "<impression>", "</impression>", "<key_slice>", "</key_slice>", "<bbox>", "</bbox>",
    "[1,2,3,4]", "3", "-1", "2 cm mass in the liver.", "<", ">", "No mass.", "\n",
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_any_order_of_tags_is_in_range(parts: list[str]) -> None:
    (found,) = EMRL.score_batch([Example("".join(parts), TUMOR, fields={"reference_key_slice": 3})])
    assert found.status == "ok"
    assert found.value is not None
    assert -0.06 <= found.value <= 1.0


@pytest.mark.parametrize("completion", [None, [], {}, 3, [{"role": "assistant", "content": 4}], b"x"])
def test_what_is_no_text_takes_no_other_with_it(completion: object) -> None:
    found = EMRL.score_batch([Example(completion, TUMOR), Example(f"<findings>{TUMOR}</findings>", TUMOR)])
    assert found[0].value in (None, 0.0)
    assert found[1].value == 1.0
