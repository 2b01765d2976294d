"""Section tags, and the two ways to check them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.rewards.tags import has_tags, keeps_form, keeps_paper_form, tagged, without_tags

GOOD = "<findings> a </findings>\n<impression> b </impression>"


@pytest.mark.parametrize(
    ("text", "ours", "papers"),
    [
        (GOOD, True, True),
        (f" {GOOD}\n", True, True),
        (f"Here it is: {GOOD}", True, False),
        (f"{GOOD} Thanks.", True, False),
        ("<findings>a</findings> and <impression>b</impression>", True, True),
        (f"{GOOD}{GOOD}", False, True),
        ("<findings>a <findings>b</findings></findings><impression>c</impression>", False, True),
        ("<findings>a <impression>b</impression></findings>", False, False),
        ("<impression>b</impression><findings>a</findings>", False, False),
        ("<findings>a</findings>", False, False),
        ("<findings>a</findings><impression>b", False, False),
        ("<Findings>a</Findings><impression>b</impression>", False, False),
        ("", False, False),
    ],
)
def test_forms(text: str, ours: bool, papers: bool) -> None:
    assert (keeps_form(text), keeps_paper_form(text)) == (ours, papers)


def test_the_text_inside() -> None:
    assert tagged(GOOD) == {"findings": "a", "impression": "b"}
    assert tagged("<findings>a</findings><findings>z</findings>") == {"findings": "a", "impression": ""}
    assert tagged("FINDINGS: a") == {"findings": "", "impression": ""}
    assert without_tags(GOOD).split() == ["a", "b"]
    assert (has_tags("a </impression>"), has_tags("IMPRESSION: a")) == (True, False)


PIECES = st.sampled_from(["<findings>", "</findings>", "<impression>", "</impression>", " a ", "\n"])


@given(st.lists(PIECES, max_size=9).map("".join))
def test_the_papers_form_is_the_one_that_was_released(text: str) -> None:
    """The pattern of the release, which is quadratic at worst, says the same."""
    pattern = r"\s*<findings>.*?</findings>.*?<impression>.*?</impression>\s*"
    assert keeps_paper_form(text) == bool(re.fullmatch(pattern, text, re.DOTALL))
