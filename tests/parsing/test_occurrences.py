"""Where known texts stand in a sentence: as whole words, all of them, in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.parsing.occurrences import Occurrences

WORDS = ["a", "ab", "b-", "c'd", "e", "/", "long word", "a long word of many letters", "long", "é"]


def expected(texts: list[str], sentence: str) -> list[tuple[int, int, str]]:
    """Every substring that is a known text and cuts no letter or digit from its neighbour."""
    found = []
    for start in range(len(sentence)):
        for end in range(start + 1, len(sentence) + 1):
            cut = [i for i in (start, end) if 0 < i < len(sentence) and sentence[i - 1 : i + 1].isalnum()]
            if sentence[start:end] in texts and not cut:
                found.append((start, end, sentence[start:end]))
    return found


@pytest.mark.parametrize(
    ("texts", "sentence", "found"),
    [
        (["lobe", "lower lobe", "lobes"], "the lower lobe.", ["lower lobe", "lobe"]),
        (["in", "fin"], "within (in) fin", ["in", "fin"]),
        (["w/o", "w"], "w/o", ["w", "w/o"]),
        (["end"], "ending, bend, end", ["end"]),
        (["x"], "", []),
        ([], "x", []),
    ],
)
def test_whole_words_are_found(texts: list[str], sentence: str, found: list[str]) -> None:
    assert [text for _, _, text in Occurrences(texts).of(sentence)] == found


@given(st.lists(st.sampled_from(WORDS)), st.lists(st.sampled_from([*WORDS, " ", " ", ", ", "."])))
def test_all_occurrences_and_no_others_are_found(texts: list[str], parts: list[str]) -> None:
    sentence = "".join(parts)
    assert Occurrences(texts).of(sentence) == expected(texts, sentence)


@given(st.text(alphabet="ab c-9", max_size=30), st.text(alphabet="ab c-9", max_size=40))
def test_a_part_of_the_sentence_is_found_where_it_stands(text: str, around: str) -> None:
    text = text.strip()
    sentence = f"{around} {text} {around}"
    if text:
        assert (len(around) + 1, len(around) + 1 + len(text), text) in Occurrences([text]).of(sentence)
