"""The accuracy reward of Med3D-R1 by its own rule, with the letter that its prompt asks for or as released."""

from __future__ import annotations

from cabs.rewards.med3d.form import ANSWER, ANSWERED, pairs

HALF = 0.5
"""For the right label with more behind it."""


def literal_accuracy(text: str, right: str) -> float:
    """1 where the first answer is exactly `right`, 0.5 where `right` stands before its first ")" or ":", else 0; 0
    without answer tags. Case counts.

    `right` is the option's label in the rule as meant. The released code hands in the option's text instead, so that an
    exact letter, which its prompt asks for, earns 0 (`solution` in `LazyVQAChoiseSupervisedDataset`).

    >>> literal_accuracy("<answer>B</answer>", "B"), literal_accuracy("<answer>B) Effusion</answer>", "B")
    (1.0, 0.5)
    """
    answers = pairs(text, ANSWER, ANSWERED)
    said = answers[0].strip() if answers else None
    if said is None or said == right:
        return 0.0 if said is None else 1.0
    marked = (mark in said and said.partition(mark)[0].strip() == right for mark in (")", ":"))
    return HALF if any(marked) else 0.0
