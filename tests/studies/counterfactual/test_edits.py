"""Edits: each one makes the error that it names, keeps the grammar and leaves everything else as it is."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random

import pytest

from cabs.studies.counterfactual.editor import Editor
from cabs.studies.counterfactual.edits import TYPES, Edit, apply
from cabs.studies.counterfactual.lexicon import Lexicon
from cabs.studies.counterfactual.reading import read

A_BEFORE_VOWEL = re.compile(r"\ba (?:[aeio]|u(?!ni|re|te|se))", re.IGNORECASE)
SLIP = re.compile(r"\.\.(?!\.)|  +\w|\s[,.](?!\d)")
AN_BEFORE_CONSONANT = re.compile(r"\ban (?![aeiou8hmnlfsrx]|1[18])", re.IGNORECASE)


def edits_of(text: str, lexicon: Lexicon) -> list[Edit]:
    return Editor(read(text, lexicon), lexicon, Random(0)).candidates()


def edited(text: str, type: str, lexicon: Lexicon) -> set[str]:
    reading = read(text, lexicon)
    return {apply(reading, [edit]) for edit in edits_of(text, lexicon) if edit.type == type}


@pytest.mark.parametrize(
    ("type", "text", "expected"),
    [
        ("side", "Small left pleural effusion.", "Small right pleural effusion."),
        ("side", "Left-sided pleural effusion.", "Right-sided pleural effusion."),
        ("side", "Solid nodule in the RUL.", None),
        ("site", "There is a nodule in the right upper lobe.", "There is a nodule in the right lower lobe."),
        ("site", "Solid nodule in the LUL.", "Solid nodule in the left lower lobe."),
        ("site", "Bibasilar atelectasis.", "Biapical atelectasis."),
        ("size", "A 9 mm nodule in the right upper lobe.", "A 22 mm nodule in the right upper lobe."),
        ("size", "There is a 7 mm nodule in the left lower lobe.", "There is an 18 mm nodule in the left lower lobe."),
        ("size", "Cyst in the liver measuring 4.0 x 3.0 cm.", "Cyst in the liver measuring 1.6 x 1.2 cm."),
        ("severity", "Severe emphysema.", "Minimal emphysema."),
        ("severity", "The heart is mildly enlarged.", "The heart is severely enlarged."),
        ("severity", "Minimal pleural effusion.", "Large pleural effusion."),
        ("severity", "Trace of pericardial effusion.", None),
        ("character", "There is a solid nodule in the left upper lobe.",
         "There is a ground-glass nodule in the left upper lobe."),
        ("change", "Small left pleural effusion, unchanged.", "Small left pleural effusion, increased."),
        ("certainty", "There is a small hiatal hernia.", "There is a possible small hiatal hernia."),
        ("certainty", "Emphysema.", "Possible emphysema."),
        ("certainty", "Possible nodule in the left upper lobe.", "Nodule in the left upper lobe."),
        ("omit", "Emphysema. Small hiatal hernia.", "Small hiatal hernia."),
        ("omit", "Emphysema and a 3 cm stent.", None),
    ],
)  # fmt: skip
def test_an_edit_makes_its_error(type: str, text: str, expected: str | None, lexicon: Lexicon) -> None:
    found = edited(text, type, lexicon)
    assert expected in found if expected else not found


def test_a_side_is_flipped_wherever_the_fact_is_stated(lexicon: Lexicon, references: dict[str, str]) -> None:
    (turned,) = (t for t in edited(references["own"], "side", lexicon) if "Small right pleural effusion, unch" in t)
    assert turned.count("Small right pleural effusion") == 2
    assert "left pleural" not in turned


def test_a_fact_that_is_stated_otherwise_too_is_not_edited(lexicon: Lexicon) -> None:
    text = "Left pleural effusion. Emphysema. The effusions are larger on the right."
    assert {edit.family for edit in edits_of(text, lexicon) if edit.type == "omit"} == {"emphysema"}


def test_an_inserted_finding_is_stated_nowhere_else(lexicon: Lexicon, references: dict[str, str]) -> None:
    for text in references.values():
        stated = read(text, lexicon).families
        assert [e.family for e in edits_of(text, lexicon) if e.type == "insert" and stated[e.family]] == []


def test_one_member_of_a_denied_list_is_asserted(lexicon: Lexicon) -> None:
    text = "No pneumothorax, pericardial effusion, or adenopathy."
    starts = {t.split(".")[0] for t in edited(text, "negate", lexicon)}
    assert starts == {
        "No pericardial effusion or adenopathy", "No pneumothorax or adenopathy",
        "No pneumothorax or pericardial effusion",
    }  # fmt: skip


def test_members_that_share_a_noun_stay_together(lexicon: Lexicon) -> None:
    assert edited("No mediastinal or hilar adenopathy.", "negate", lexicon) == set()


def test_several_members_of_one_list_can_be_turned(lexicon: Lexicon) -> None:
    text = "The lungs are clear without pneumothorax or pleural effusion."
    reading = read(text, lexicon)
    both = [e for e in edits_of(text, lexicon) if e.type == "negate" and e.denied]
    assert len(both) == 2
    assert apply(reading, both).startswith("The lungs are clear. ")


def test_without_edits_a_text_is_itself(lexicon: Lexicon, references: dict[str, str]) -> None:
    for text in references.values():
        assert apply(read(text, lexicon), []) == text


def test_untouched_statements_stay(lexicon: Lexicon, references: dict[str, str]) -> None:
    for text in references.values():
        reading = read(text, lexicon)
        for edit in edits_of(text, lexicon):
            turned = apply(reading, [edit])
            kept = [s for at, s in enumerate(reading.statements) if at not in edit.touches]
            for statement in kept:
                assert text[statement.start : statement.sentence.end] in turned, (edit, turned)


def test_edits_of_different_facts_do_not_disturb_each_other(lexicon: Lexicon, references: dict[str, str]) -> None:
    text = references["own"]
    reading = read(text, lexicon)
    for one, other in combinations(edits_of(text, lexicon), 2):
        if one.family == other.family or one.touches & other.touches:
            continue
        both = apply(reading, [one, other])
        assert both == apply(reading, [other, one])
        for edit in (one, other):
            for change in edit.changes:
                assert change.new.strip() in both


def test_grammar_is_kept(lexicon: Lexicon, references: dict[str, str]) -> None:
    for text in references.values():
        reading = read(text, lexicon)
        before = len(A_BEFORE_VOWEL.findall(text)), len(AN_BEFORE_CONSONANT.findall(text))
        for edit in edits_of(text, lexicon):
            turned = apply(reading, [edit])
            assert len(A_BEFORE_VOWEL.findall(turned)) <= before[0], (edit, turned)
            assert len(AN_BEFORE_CONSONANT.findall(turned)) <= before[1], (edit, turned)
            assert len(SLIP.findall(turned)) <= len(SLIP.findall(text)), (edit, turned)


def test_every_type_of_error_is_found(lexicon: Lexicon, references: dict[str, str]) -> None:
    assert {edit.type for edit in edits_of(references["own"], lexicon)} == set(TYPES)


def test_a_swap_counts_twice(lexicon: Lexicon, references: dict[str, str]) -> None:
    assert {e.errors for e in edits_of(references["own"], lexicon) if e.type == "swap"} == {2}
    assert {e.errors for e in edits_of(references["own"], lexicon) if e.type != "swap"} == {1}
