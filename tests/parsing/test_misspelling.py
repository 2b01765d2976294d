"""What is taken for a misspelling, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.ontology.opposites import Opposites
from cabs.parsing.misspelling import SHORTEST, Misspellings

KNOWN = ("consolidation", "consolidations", "hypodense", "hyperdense", "ureteral", "urethral", "nodules", "fracture")
WORDS = Misspellings(KNOWN, ("modules", "noodles"), Opposites((("hypo", "hyper"),), ()))
LETTERS = st.characters(codec="ascii", categories=["Ll"])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("consolidaton", "consolidation"),
        ("consolidattion", "consolidation"),
        ("consoliadtion", "consolidation"),
        ("consulidation", "consolidation"),
        ("fractuer", "fracture"),
        ("nodulles", "nodules"),
    ],
)
def test_one_letter_wrong(word: str, meant: str) -> None:
    assert WORDS.correct(word) == meant


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("consolidation", "right"),
        ("noodles", "an everyday word"),
        ("modules", "an everyday word"),
        ("bonsolidation", "the first letter"),
        ("consolidatio", "the end alone"),
        ("uretral", "two words are as near"),
        ("nodls", "too short"),
        ("consoldaton", "two letters"),
    ],
)
def test_no_misspelling(word: str, why: str) -> None:
    assert WORDS.correct(word) is None, why


@given(st.text(LETTERS, max_size=20))
def test_nothing_far_is_ever_near(word: str) -> None:
    meant = WORDS.correct(word)
    assert meant is None or (len(word) >= SHORTEST and word[0] == meant[0] and abs(len(word) - len(meant)) <= 1)


@given(st.lists(st.sampled_from(["consolidaton", "in", "the", "fractuer", "nodules", "of 5 mm"]), max_size=6))
def test_a_corrected_text_leads_back(words: list[str]) -> None:
    text = " ".join(words)
    corrected, places = WORDS.corrected(text, [])
    if not places:
        assert corrected == text
        return
    assert len(places) == len(corrected)
    assert places == sorted(places)
    assert all(text[place] == char for place, char in zip(places, corrected, strict=True) if char in " 5")
