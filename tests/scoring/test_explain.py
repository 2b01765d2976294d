"""An alignment in words."""

from __future__ import annotations

import cabs
from cabs.scoring.explain import entries, fact_in_words, marks

REFERENCE = "A 9 mm nodule in the right upper lobe. Mild emphysema. Small left pleural effusion."
PREDICTION = "A 20 mm nodule in the left upper lobe. No pleural effusion. The heart is enlarged."


def test_every_fact_has_one_line_and_every_error_its_words() -> None:
    found = entries(cabs.align(REFERENCE, PREDICTION))
    assert [(e.number, e.verdict) for e in found] == [
        (1, "flawed"),
        (2, "missed"),
        (3, "missed"),
        (4, "false"),
    ]
    nodule, emphysema, effusion, heart = found
    assert "wrong side: reference right, prediction left" in nodule.errors
    assert "wrong size: reference 9 mm, prediction 20 mm" in nodule.errors
    assert emphysema.errors == ("missed",)
    assert effusion.errors == ("missed", "denied by the prediction")
    assert heart.errors[0] == "not in the reference"
    assert nodule.reference is not None
    assert fact_in_words(nodule.reference) == "pulmonary nodule · lung · right upper lobe · size 9 mm"


def test_marks_are_the_mentions_in_order() -> None:
    found = entries(cabs.align(REFERENCE, PREDICTION))
    said = [
        (REFERENCE[slice(*m.span)], [e.number for e in m.entries]) for m in marks(found, "reference", len(REFERENCE))
    ]
    assert said == [("nodule", [1]), ("emphysema", [2]), ("pleural effusion", [3])]


def test_two_reports_without_facts() -> None:
    assert entries(cabs.align("", "")) == []
