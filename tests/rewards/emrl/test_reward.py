"""`emrl` on whole samples: goldens worked out by hand, what happens where something is missing, and its properties."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cabs
from cabs.errors import SettingError
from cabs.io.facts import report_to_json
from cabs.rewards import Example, RewardResult, reward

EMRL = reward("emrl")
TUMOR = "There is a 3.2 x 2.5 cm hypoattenuating mass in segment VI of the liver with rim enhancement."
NORMAL = "The liver is normal in size. No focal hepatic lesion."


def said(findings: str, impression: str = "Stable.", aside: str = "") -> str:
    return f"<findings>{findings}{aside}</findings><impression>{impression}</impression>"


def at(k: object) -> str:
    return f" The key lesion is in image <key_slice>{k}</key_slice>, <bbox>[10, 20, 30, 40]</bbox>."


def scored(completion: object, reference: object = TUMOR, name: str = "emrl", **fields: Any) -> RewardResult:
    return reward(name).score_batch([Example(completion, reference, fields=fields)])[0]


def value(completion: object, reference: object = TUMOR, name: str = "emrl", **fields: Any) -> float:
    found = scored(completion, reference, name, **fields)
    assert found.status == "ok", found
    assert found.value is not None
    return found.value


BROADER = said("A 3 cm hypodense lesion in the right lobe of the liver.", "Liver mass.", at(36))


def test_golden_without_local_description() -> None:
    """Size 1 (2 of 6.4 mm), location 0.5 (lobe for segment), enhancement 0.5 (density, no rim): r_f = 2/3. r_c takes
    (0.3 + 0.5·2/3)/0.8, less 0.3·0.8 for two slices."""
    found = scored(BROADER, reference_key_slice=34)
    assert found.components == pytest.approx(
        {
            "existence": 1, "findings": 2 / 3, "consistency": 0.551666667, "size": 1, "location": 0.5,
            "enhancement": 0.5, "local": 0, "slice_distance": 0.8, "reference": 1, "predicted": 1, "hits": 1,
        }
    )  # fmt: skip
    assert found.value == pytest.approx(0.743666667)


def test_golden_with_local_description() -> None:
    """The local text has the place alone: 1/3, less 0.3·0.5 for a neighbouring slice."""
    local = "5 cm mass in segment VI of the liver."
    assert value(BROADER, reference_key_slice=35, local_description=local) == pytest.approx(0.67)
    own = {"local_description": local, "reference_local_description": local}
    assert value(BROADER, reference_key_slice=36, **own) == pytest.approx(0.3 + 1 / 3 + 0.2)


@pytest.mark.parametrize(
    ("completion", "reference", "expected"),
    [
        (said(TUMOR), TUMOR, 1.0),
        (said(NORMAL), NORMAL, 1.0),
        (said(NORMAL), TUMOR, 0.0),
        (said(TUMOR), NORMAL, 0.0),
        (said(NORMAL, aside=at(3)), NORMAL, -0.06),
        (said("Simple cyst in the liver."), NORMAL, 1.0),
        (said(TUMOR), "Simple cyst in the liver.", 0.0),
        ("", NORMAL, 0.0),
        ("", TUMOR, 0.0),
        ("Nothing to see here.", NORMAL, 0.0),
        (NORMAL, NORMAL, 0.0),
        (TUMOR, TUMOR, 0.0),
    ],
)
def test_existence(completion: str, reference: str, expected: float) -> None:
    """A cyst is no tumor, silence no denial, what stands outside of the tags is not said, and who points at a lesion
    says that there is one."""
    assert value(completion, reference) == pytest.approx(expected)


def test_a_slice_where_there_is_no_tumor_is_wrong() -> None:
    assert value(said(NORMAL), NORMAL, key_slice=3) == pytest.approx(0.94)
    assert value(said(NORMAL), NORMAL, key_slice=3, reference_key_slice=3) == pytest.approx(0.94)


def test_tags_are_an_option() -> None:
    assert value(NORMAL, NORMAL, "emrl:form=headings") == 1.0
    assert value("FINDINGS: " + TUMOR, TUMOR, "emrl:form=headings") == 1.0


def test_a_pointing_sentence_is_no_tumor_of_its_own() -> None:
    found = scored(said("LIVER: " + TUMOR, aside=at(34)), "LIVER: " + TUMOR, reference_key_slice=34)
    assert (found.value, found.components["predicted"]) == (1.0, 1.0)
    alone = scored(said("The liver:", aside=at(34)), TUMOR, reference_key_slice=34)
    assert alone.components["existence"] == 1.0


def test_the_reference_may_have_the_grammar_too() -> None:
    assert value(said(TUMOR, aside=at(34)), said(TUMOR, aside=at(35))) == pytest.approx(0.97)
    assert value(said(TUMOR, aside=at(34)), said(TUMOR, aside=at(99)), reference_key_slice=34) == 1.0


@pytest.mark.parametrize("form", [str, json.loads])
def test_references_of_facts(form: Any) -> None:
    facts = json.dumps({"id": "1", **report_to_json(cabs.parse(TUMOR))})
    assert value(said(TUMOR), form(facts)) == 1.0


def test_inventing_more_tumors_costs() -> None:
    more = said(
        f"{TUMOR} Second mass of 4 cm in segment II of the liver. Third mass of 9 cm in segment IV of the liver."
    )
    found = scored(more)
    assert found.components["hits"] == 1
    assert found.components["predicted"] == 3
    assert found.components["findings"] == pytest.approx(1 / 3)
    assert value(more, TUMOR, "emrl:several=largest") == 1.0


def test_the_organ_of_the_sample_decides() -> None:
    both = f"{TUMOR} The pancreas is normal."
    assert value(said("The liver is normal. The pancreas is normal."), both, organ="Pancreas") == 1.0
    assert value(said("The liver is normal. The pancreas is normal."), both, organ="liver") == 0.0
    assert value(said(TUMOR), both, place="liver", name="emrl:organ_column=place") == 1.0


@pytest.mark.parametrize(
    ("option", "expected"),
    [("absent=0", 0.3 + 0.2 * 0.3 / 0.8), ("no_local=zero", 0.8), ("absent=0,no_local=zero", 0.3)],
)
def test_options_of_the_formula_on_a_true_negative(option: str, expected: float) -> None:
    assert value(said(NORMAL), NORMAL, f"emrl:{option}") == pytest.approx(expected)


def test_options_of_comparing() -> None:
    close = said(TUMOR.replace("3.2 x 2.5", "3.0 x 2.4"))
    assert scored(close).components["size"] == 1.0
    assert scored(close, name="emrl:size_tolerance=0.01,size_floor=1").components["size"] == 0.0
    hedged = "Possible mass in the liver. The pancreas is normal."
    assert value(said(NORMAL), hedged) == 0.0
    assert value(said(NORMAL), hedged, "emrl:certainty=definite") == 1.0
    named = said(TUMOR.replace("mass", "metastasis"))
    assert value(named) == 1.0
    assert scored(named, name="emrl:names=strict").components["hits"] == 0
    assert scored(BROADER, name="emrl:broader=0").components["location"] == 0.0


def test_slices_from_columns_and_other_bases() -> None:
    assert value(said(TUMOR), key_slice=34, reference_key_slice="34") == 1.0
    assert value(said(TUMOR, aside=at(33)), key_slice=99, reference_key_slice=33) == 1.0
    assert value(said(TUMOR, aside=at(35)), TUMOR, "emrl:slice_offset=-1", reference_key_slice=34) == 1.0
    assert value(said(TUMOR, aside=at(0)), TUMOR, "emrl:first_slice=1", reference_key_slice=1) == pytest.approx(0.94)
    assert value(said(TUMOR, aside=at(0)), reference_key_slice=0) == 1.0


def test_what_has_no_value_says_why() -> None:
    unread = scored(said(TUMOR), "Lorem ipsum.")
    assert (unread.value, unread.status, unread.reason) == (None, "unscorable", "the reference was not read")
    local = scored(said(TUMOR), name="emrl:no_local=unscorable")
    assert (local.status, local.reason) == ("unscorable", "there is no local_description")
    assert scored(said(TUMOR), name="emrl:no_local=unscorable", local_description=TUMOR).value == 1.0


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"organ": "spoon"}, "'spoon' is no organ"),
        ({"organ": 3}, "the name of an organ expected"),
        ({"reference_key_slice": "abc"}, "the slice of the reference is invalid"),
        ({"reference_key_slice": -1}, "lies before slice 0"),
        ({"local_description": 3}, "text expected"),
    ],
)
def test_columns_that_hold_something_else(fields: dict[str, Any], reason: str) -> None:
    found = scored(said(TUMOR), **fields)
    assert found.status == "error"
    assert found.value is None
    assert reason in found.reason


def test_an_empty_local_description_says_nothing() -> None:
    assert value(said(TUMOR), local_description="") == pytest.approx(0.8)
    assert value(said(TUMOR), local_description=None) == 1.0


def test_a_judgement_is_refused() -> None:
    found = EMRL.score_batch([Example(said(TUMOR), TUMOR, judgement={"findings": {"verdicts": [], "false": 0}})])[0]
    assert found.status == "error"
    assert "takes no judgement" in found.reason


@pytest.mark.parametrize("option", ["colour=red", "names=maybe", "broader=2", "group=zzz", "first_slice=x"])
def test_unknown_options_are_refused(option: str) -> None:
    with pytest.raises(SettingError):
        reward(f"emrl:{option}")


def test_the_contract() -> None:
    assert EMRL.range == (pytest.approx(-0.06), 1.0)
    assert "|group:tumor@" in EMRL.signature
    assert EMRL.signature != reward("emrl:broader=0").signature
    again = pickle.loads(pickle.dumps(EMRL))
    assert again.score_batch([Example(BROADER, TUMOR)]) == EMRL.score_batch([Example(BROADER, TUMOR)])
    unit = reward("emrl", scale="unit").score_batch([Example(said(NORMAL), TUMOR)])[0].value
    assert unit == pytest.approx(0.06 / 1.06)


PARTS = (
    "2 cm mass in segment II of the liver.", "Mass of 4 cm in the tail of the pancreas.", "Simple cyst in the liver.",
    "Hypodense lesion in the spleen.", "The left kidney holds an enhancing mass of 15 mm.", "The pancreas is normal.",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique=True)


@settings(max_examples=40)
@given(TEXTS, TEXTS, st.randoms(use_true_random=False))
def test_bounds_identity_and_order(reference: list[str], prediction: list[str], shuffle: Any) -> None:
    first = value(said(" ".join(prediction)), " ".join(reference))
    assert 0.0 <= first <= 1.0
    other = value(said(" ".join(shuffle.sample(prediction, len(prediction)))), " ".join(reversed(reference)))
    assert other == pytest.approx(first, abs=1e-12)
    assert value(said(" ".join(reference)), " ".join(reference)) == pytest.approx(1.0)
