"""Options and right answers, in every shape of a record."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cabs.errors import InputError
from cabs.io.record import Record
from cabs.scoring.tasks.mcq import question_of
from cabs.scoring.tasks.mcq.options import in_text

FOUR = {"A": "Hiatal hernia", "B": "Atelectasis", "C": "Pleural effusion", "D": "Emphysema"}
INLINE = "Which finding is seen? A) Hiatal hernia B) Atelectasis C) Pleural effusion D) Emphysema"
SHAPES = {
    "object": {"options": FOUR},
    "lower-case labels": {"options": {f"{k.lower()}.": v for k, v in FOUR.items()}},
    "JSON text": {"options": json.dumps(FOUR)},
    "list": {"choices": list(FOUR.values())},
    "list with labels": {"options": [f"({k}) {v}" for k, v in FOUR.items()]},
    "array": {"options": np.array(list(FOUR.values()), dtype=object)},
    "Arrow struct": {"options": {**FOUR, "E": None}},
    "one text": {"options": "A. Hiatal hernia\nB. Atelectasis\nC. Pleural effusion\nD. Emphysema"},
    "columns": {f"Choice {k}": v for k, v in FOUR.items()},
    "columns of letters": dict(FOUR),
    "columns, one unused": {**{f"option_{k.lower()}": v for k, v in FOUR.items()}, "option_e": "-"},
    "inline": {"question": INLINE},
}


def question(**fields: object):
    return question_of(Record({"question": "Which finding is seen?", **fields}, "f:1"))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_options(shape: str) -> None:
    for answer in ("D", "d", "(D)", "Emphysema", "D) Emphysema", " emphysema. "):
        found = question(**SHAPES[shape], answer=answer)
        assert found is not None
        assert found.options.items == tuple(FOUR.items())
        assert found.answer == "D"


def test_options_in_a_question_are_its_last_row_of_letters() -> None:
    found = in_text("Vitamin A) deficiency aside, which? A) Left, B) Right")
    assert found is not None
    assert found.items == (("A", "Left"), ("B", "Right"))
    assert in_text("See plan A. Which side?") is None
    assert in_text("A) B) C)") is None


def test_3d_rad_and_its_open_questions() -> None:
    row = {"Task": "4", "Question": "Is there atelectasis?", "Answer": "No", "AnswerChoice": "B",
           "Choice A": "Yes", "Choice B": "No", "Choice C": "-", "Choice D": "-"}  # fmt: skip
    found = question_of(Record(row, "f:1"))
    assert found is not None
    assert (found.options.items, found.answer, found.category) == ((("A", "Yes"), ("B", "No")), "B", "4")
    opened = {**row, "Answer": "It is 3 cm.", **{f"Choice {c}": "-" for c in "ABCD"}}
    assert question_of(Record(opened, "f:1")) is None


WRONG = {
    "field 'options' is missing": {"answer": "A"},
    "field 'options' holds a number": {"options": 4, "answer": "A"},
    "field 'options' holds one option alone": {"options": {"A": "x"}, "answer": "A"},
    "field 'options' names option 'A' twice": {"options": {"A": "x", "a": "y"}, "answer": "A"},
    "field 'options': 'left side' is no label": {"options": {"left side": "x", "B": "y"}, "answer": "B"},
    "field 'options', option B: a list": {"options": {"A": "x", "B": []}, "answer": "B"},
    "field 'answer' is missing": {"options": FOUR},
    "field 'answer' is 'E', which is no option": {"options": FOUR, "answer": "E"},
    "field 'answer' is 'A or B'": {"options": FOUR, "answer": "A or B"},
    "field 'answer' is '2', which is no option": {"options": FOUR, "answer": 2},
    "field 'answer' holds a list": {"options": FOUR, "answer": ["A"]},
    "fields 'answer_choice' and 'answer' name different": {
        "options": FOUR,
        "answer": "Emphysema",
        "answer_choice": "A",
    },
    "options A and B both say 'x'": {"options": ["x", "x"], "answer": "x"},
    "field 'category' holds a list": {"options": FOUR, "answer": "A", "category": []},
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_field_and_the_place(message: str) -> None:
    with pytest.raises(InputError) as caught:
        question(**WRONG[message])
    assert message in caught.value.message
    assert caught.value.place.startswith("f:1")
