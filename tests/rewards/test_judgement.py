"""Judgements of others: read strictly, since a quoted "false" counts as true."""

from __future__ import annotations

from typing import Any

import pytest

from cabs.errors import InputError
from cabs.rewards.judgement import SectionJudgement, Verdict, judgement_from

HIT: dict[str, Any] = {"name": "x", "hit": True, "location_match": True, "attribute_match": False}


def judged(*abnormalities: object, false: object = ()) -> dict[str, Any]:
    false_positive = list(false) if isinstance(false, tuple) else false
    return {"findings": {"abnormalities": list(abnormalities), "false_positive": false_positive}}


def test_as_the_judge_of_the_paper_writes_it() -> None:
    found = judgement_from(judged(HIT, {**HIT, "hit": False, "location_match": False}, false=({"name": "y"},)))
    verdicts = (Verdict(True, True, False), Verdict(False, False, False))
    assert found == {"findings": SectionJudgement(verdicts, 1)}
    assert found["findings"].hits == 1


def test_agreement() -> None:
    alignments = [
        Verdict(hit, place, rest).alignment
        for hit, place, rest in [
            (True, True, True),
            (True, True, False),
            (True, False, True),
            (True, False, False),
            (False, True, True),
        ]
    ]
    assert alignments == [1.0, 0.5, 0.5, 0.0, 0.0]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({}, "an object by section expected"),
        ([], "an object by section expected"),
        ({"findings": []}, "judgement.findings: an object expected, found a list"),
        ({"findings": {}}, "'abnormalities' holds null, a list expected"),
        (judged(false="none"), "'false_positive' holds text, a list expected"),
        (judged({**HIT, "hit": "false"}), r"abnormalities\[0\]: hit is 'false', true or false expected"),
        (judged({**HIT, "hit": 1}), "hit is 1, true or false expected"),
        (judged(HIT, {"hit": True}), r"abnormalities\[1\]: 'location_match' is missing"),
        (judged("x"), "an object expected, found text"),
    ],
)
def test_nothing_is_guessed(value: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        judgement_from(value)
