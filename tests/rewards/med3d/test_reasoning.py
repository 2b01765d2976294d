"""Does the thought state what the answer names? Stated, denied, hedged, listed, unknown."""

from __future__ import annotations

import pytest

from cabs.rewards import Example, reward
from cabs.rewards.med3d.listing import without_listing
from cabs.scoring.tasks.mcq import Options

TEXTS = ("Hiatal hernia", "Atelectasis", "Pleural effusion", "Emphysema")
QUESTION = "Which finding is present? A) Hiatal hernia B) Atelectasis C) Pleural effusion D) Emphysema"


def judged(thought: str, answer: str = "D", texts: tuple[str, ...] = TEXTS, question: str = QUESTION):
    fields = {"question": question, "options": list(texts), "answer": "A"}
    said = f"<think>{thought}</think><answer>{answer}</answer>"
    (found,) = reward("med3d").score_batch([Example(said, fields=fields)])
    return found


# thought → (consistency, stated, denied) of the answer D, "Emphysema"
THOUGHTS = {
    "Both upper lobes show emphysema.": (1, 1, 0),
    "There is centrilobular emphysema. No pleural effusion.": (1, 1, 0),
    "Emphysema is likely.": (1, 1, 0),
    "It could be emphysema or atelectasis. Emphysema is seen.": (1, 2, 0),
    "It could be emphysema or atelectasis.": (1 / 2, 2, 0),
    "There is emphysema and atelectasis.": (1 / 2, 2, 0),
    "There is a hiatal hernia, atelectasis, a pleural effusion and emphysema.": (1 / 4, 4, 0),
    "There is no emphysema.": (0, 0, 1),
    "There is emphysema. There is no emphysema.": (0, 0, 1),
    "There is a pleural effusion.": (0, 1, 0),
    "The lungs are clear.": (0, 0, 0),
    "Hm.": (0, 0, 0),
    QUESTION: (0, 0, 0),
    "A) Hiatal hernia, B) Atelectasis, C) Pleural effusion or D) Emphysema?": (0, 0, 0),
    "The choices are hiatal hernia, atelectasis, pleural effusion, and emphysema. I see emphysema.": (1, 1, 0),
}


@pytest.mark.parametrize("thought", THOUGHTS)
def test_a_thought_and_the_finding_of_the_answer(thought: str) -> None:
    parts = judged(thought).components
    assert (parts["consistency"], parts["stated"], parts["denied"], parts["judged"]) == (*THOUGHTS[thought], 1)


def test_relatives_count_and_are_no_rivals() -> None:
    texts = ("Lung opacity", "Consolidation", "Cardiomegaly", "Emphysema")
    special = "There is consolidation in the right lower lobe."
    assert judged(special, "A", texts).components["consistency"] == 1
    assert judged(special, "B", texts).components["consistency"] == 1
    assert judged("There is an opacity in the right lower lobe.", "B", texts).components["consistency"] == 1
    assert judged(special, "C", texts).components["consistency"] == 0


def test_sides_and_denials_as_options() -> None:
    sides = ("Left pleural effusion", "Right pleural effusion", "No pleural effusion", "Cardiomegaly")
    right = "There is a right pleural effusion."
    found = [judged(right, answer, sides).components["consistency"] for answer in "ABCD"]
    assert found == [0, 1, 0, 0]
    none = "There is no pleural effusion."
    assert [judged(none, answer, sides).components["consistency"] for answer in "ABC"] == [0, 0, 1]
    assert judged(right, "C", sides).components["denied"] == 1


def test_an_option_that_names_no_finding_is_not_judged_and_costs_nothing() -> None:
    texts = ("Yes", "No", "Emphysema", "None of the above")
    found = judged("There is emphysema.", "A", texts)
    assert (found.components["judged"], found.components["consistency"], found.value) == (0, 0, 3.0)
    wrong = judged("There is emphysema.", "B", texts)
    assert (wrong.components["judged"], wrong.value) == (0, 1.5)


def test_an_answer_that_names_nothing_is_judged_and_earns_nothing() -> None:
    found = judged("There is emphysema.", "A or D")
    assert (found.value, found.components["judged"], found.components["answered"]) == (1.0, 1, 0)


def test_a_row_of_two_is_a_statement() -> None:
    two = Options((("A", "left"), ("B", "right")))
    assert without_listing("It is left and right.", two) == "It is left and right."
    assert without_listing("A) left B) right", two).strip() == ""
