"""What an answer names: golden spellings, denials, hedges, and properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.scoring.tasks.mcq import Options, chosen
from cabs.scoring.tasks.mcq.words import words

TEXTS = ("Hiatal hernia", "Pleural effusion", "Effusion", "Emphysema")
OPTIONS = Options(tuple(zip("ABCD", TEXTS, strict=True)))
YES_NO = Options((("A", "Yes"), ("B", "No")))

NAMED = {
    "B": "B",
    "b": "B",
    "(B)": "B",
    "B.": "B",
    "[b]": "B",
    "B) Pleural effusion": "B",
    "b: pleural  EFFUSION.": "B",
    "B - Pleural effusion": "B",
    "B Pleural effusion": "B",
    "Option B": "B",
    "The answer is B": "B",
    "The answer is (b).": "B",
    "The answer is B) Pleural effusion": "B",
    "The correct option is (D).": "D",
    "I would go with D": "D",
    "B is correct": "B",
    "Option A is wrong, option B is right.": "B",
    "The answer is B because A is wrong": "B",
    "Answer: D\nExplanation: A, B and C are absent.": "D",
    "B) Pleural effusion. (A) is excluded.": "B",
    "**D**": "D",
    r"$\boxed{\text{D}}$": "D",
    "Ｄ": "D",
    "Pleural effusion": "B",
    "effusion": "C",
    "It shows a pleural effusion.": "B",
    "A pleural effusion is seen.": "B",
    "The answer is a pleural effusion.": "B",
    "There is no emphysema, but a hiatal hernia.": "A",
    "not B but C": "C",
    "Not A, B, or C; D": "D",
    "<answer>D</answer>": "D",
    "<think>A or B?</think><answer> d </answer>": "D",
    "<answer>D</answer> so <answer>Emphysema</answer>": "D",
}
NOTHING = {
    "": "empty",
    "<answer> </answer>": "empty",
    "E": "no option",
    "AB": "no option",
    "not B": "no option",
    "The answer is not B": "no option",
    "It isn't D.": "no option",
    "Neither": "no option",
    "I don't know": "no option",
    "A nodule": "no option",
    "B is wrong": "no option",
    "no emphysema or effusion": "no option",
    "A, B": "several options",
    "A or B": "several options",
    "B/D": "several options",
    "Both B and D": "several options",
    "The answer is A or B": "several options",
    "The answer is A. The answer is B.": "several options",
    "B) Emphysema": "several options",
    "The answer is B) Emphysema": "several options",
    "A) Hiatal hernia B) Pleural effusion": "several options",
    "Emphysema and hiatal hernia": "several options",
    "<answer>D</answer><answer>A</answer>": "several options",
}


@pytest.mark.parametrize("answer", NAMED)
def test_one_option_in_any_usual_spelling(answer: str) -> None:
    assert chosen(answer, OPTIONS).label == NAMED[answer]


@pytest.mark.parametrize("answer", NOTHING)
def test_no_option_and_why(answer: str) -> None:
    found = chosen(answer, OPTIONS)
    assert (found.label, found.why) == (None, NOTHING[answer])


def test_options_that_are_words_of_denial() -> None:
    for answer, label in {"No": "B", "no.": "B", "Yes": "A", "No, there is none.": "B", "B) No": "B"}.items():
        assert chosen(answer, YES_NO).label == label, answer
    both = Options((("A", "Emphysema"), ("B", "No emphysema")))
    assert [chosen(text, both).label for text in ("No emphysema", "Emphysema", "There is no emphysema.")] == [
        "B", "A", "B",
    ]  # fmt: skip


def test_signs_of_order_and_labels_that_are_numbers() -> None:
    sizes = Options((("A", "< 2 cm"), ("B", "> 2 cm")))
    assert [chosen(text, sizes).label for text in ("> 2 cm", "<2 cm", "2 cm")] == ["B", "A", None]
    numbered = Options((("1", "left"), ("2", "right"), ("10", "both")))
    assert [chosen(text, numbered).label for text in ("2", "10)", "The answer is 1", "right")] == ["2", "10", "1", "2"]


@given(st.permutations(range(4)), st.sampled_from(["{}", "The answer is {}.", "It shows {}", "<answer>{}</answer>"]))
def test_the_order_of_the_options_changes_no_text_that_is_named(order: list[int], spelled: str) -> None:
    options = Options(tuple(zip("ABCD", (TEXTS[at] for at in order), strict=True)))
    for text in TEXTS:
        label = chosen(spelled.format(text.lower()), options).label
        assert label is not None
        assert options[label] == text
        for said in (label, f"({label})", f"{label}) {text}", f"{label}. {text}"):
            assert chosen(spelled.format(said), options).label == label, said


PIECES = st.sampled_from(
    ["A", "b", "C)", "(D)", " or ", " and ", "not ", "answer is ", "<answer>", "</answer>", "</think>", "emphysema ",
     "pleural effusion", ". ", "\\boxed{", "}", "*", "is wrong ", "İ", "ß", "\0", "\ud800"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
def test_it_never_raises_and_names_an_option_or_says_why(answer: str) -> None:
    found = chosen(answer, OPTIONS)
    assert (found.label in OPTIONS.labels) if found.label else found.why in ("empty", "no option", "several options")


@given(st.text(max_size=20))
def test_a_letter_earns_the_same_whatever_the_words_are(text: str) -> None:
    options = Options((("A", text or "x"), ("B", "other thing")))
    assert chosen("B", options).label == "B"
    assert words(text) == words(text.upper().lower()) or not text.isascii()


HOSTILE = [
    "answer is " * 2000, "answer" + " " * 19_000, "(" * 20_000, "A or " * 4000, "<answer>" * 2500, "not " * 5000 + "B",
    "emphysema " * 2000, "B) " * 6000 + "emphysema " * 50, "\\boxed{" * 2800, "</think>" * 2500, "A) effusion " * 1600,
]  # fmt: skip


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_answers_are_read(answer: str) -> None:
    found = chosen(answer, OPTIONS)
    assert (found.label is None) == bool(found.why)
    assert found.label in (None, *"ABCD")
