"""Completions against references, from text to reward."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from cabs.errors import CabsError, SettingError
from cabs.rewards import Example, RewardResult, reward
from cabs.rewards.presets import COMPONENTS
from cabs.rewards.registered import REWARDS
from tests.rewards.test_references import ENTITIES, FINDINGS, IMPRESSION, RECORD, TAGS

REPORTS = ("tif", "tif_paper", "tif_no_running_cost", "tif_no_control_effort", "cabs_f1", "fc_f1", "cabs_score")


def one(name: str, completion: object, reference: object = TAGS, **fields: Any) -> RewardResult:
    return reward(name).score_batch([Example(completion, reference, **fields)], strict=True)[0]


def report(findings: str, impression: str = IMPRESSION) -> str:
    return f"<findings>{findings}</findings>\n<impression>{impression}</impression>"


@pytest.mark.parametrize("reference", [TAGS, RECORD, json.dumps(RECORD)])
@pytest.mark.parametrize("name", REPORTS)
def test_the_reference_itself_gets_the_most(name: str, reference: object) -> None:
    assert one(name, TAGS, reference).value == pytest.approx(reward(name).range[1], abs=1e-7)


@pytest.mark.parametrize("name", [name for name in REPORTS if name != "tif_no_control_effort"])
def test_each_error_costs(name: str) -> None:
    worse = [
        report("There is a 9 mm nodule in the right upper lobe."),
        report(f"{FINDINGS} Moderate ascites."),
    ]
    best = one(name, TAGS).value
    assert best is not None
    for text in worse:
        value = one(name, text).value
        assert value is not None
        assert value < best, text


@pytest.mark.parametrize("name", ["tif", "tif_paper", "fc_f1", "cabs_score"])
def test_a_wrong_side_costs(name: str) -> None:
    wrong = one(name, report(FINDINGS.replace("right", "left"))).value
    assert wrong is not None
    assert wrong < one(name, TAGS).value  # type: ignore[operator]


def test_the_form_is_a_gate() -> None:
    assert one("tif", f"<findings>{FINDINGS}</findings>").value == 0.0
    assert one("tif", TAGS + TAGS).value == 0.0
    assert one("tif", FINDINGS).value == 0.0
    assert one("tif:form=headings", FINDINGS, FINDINGS).value == 1.0


def test_a_missing_section_counts_where_the_reference_has_it() -> None:
    found = one("tif", report(FINDINGS, "Unremarkable."), f"<findings>{FINDINGS}</findings>")
    assert found.value == 1.0
    assert found.components["impression"] == found.components["findings"] == 1.0


def test_what_is_told_again_or_denied_costs() -> None:
    again = one("tif", report(f"{FINDINGS} {FINDINGS.split('.')[1]} again."))
    assert again.components["restated"] == 1.0
    denied = one("tif", report(f"{FINDINGS} No pleural effusion."))
    assert denied.components["contradicted"] == 1.0
    assert denied.value < again.value < 1.0  # type: ignore[operator]


def test_who_repeats_a_torn_reference_is_right() -> None:
    torn = report("There is a nodule in the left upper lobe. No pulmonary nodule. Moderate ascites.", "No effusion.")
    assert one("tif", torn, torn).value == 1.0
    assert one("tif", torn, torn).components["contradicted"] == 0.0
    whole = report("There is a nodule in the left upper lobe. Moderate ascites.", "No effusion.")
    assert one("tif", torn, whole).components["contradicted"] == 1.0


def test_a_sentence_about_a_fact_is_no_repetition() -> None:
    text = "There is a nodule in the right upper lobe. It measures 9 mm."
    found = one("tif", report(text, "Nodule."), report(text, "Nodule."))
    assert found.components["restated"] == 0.0
    assert found.value == 1.0


def test_certainty_halves() -> None:
    possible = report(FINDINGS, "Possible right upper lobe nodule.")
    assert one("tif", possible).components["earned"] == 2.5
    assert one("tif_paper", possible).value == pytest.approx(2.35)


def test_facts_as_they_are_listed() -> None:
    """The released formula counts entities: "both sides" is one, hit by either, in place only by both."""
    listed = {"name": "pleural effusion", "location": "bilateral", "attributes": "", "certainty": "definite",
              "organ": "pleura", "evidence": ""}  # fmt: skip
    section = {"abnormalities": [listed], "report_has_abnormality": True, "abnormality_count": 1}
    reference = {"findings_abnormality_entity": section, "impression_abnormality_entity": {"abnormalities": []}}
    whole = one("tif_paper", report("Bilateral pleural effusions.", "Normal."), reference)
    half = one("tif_paper", report("Right pleural effusion.", "Normal."), reference)
    assert (whole.components["facts"], half.components["facts"]) == (1.0, 1.0)
    assert (whole.components["location"], half.components["location"]) == (1.0, 0.0)
    assert whole.components["findings"] == pytest.approx(2.25)
    assert half.components["findings"] == pytest.approx(0.75 + 1.0 + 0.1 + 0.05)
    assert one("tif", report("Right pleural effusion.", "Normal."), reference).components["facts"] == 2.0


def test_the_length_that_costs() -> None:
    padding = "The examination was performed. " * 100
    long = f"{TAGS}{padding}"
    assert one("tif", long).value == pytest.approx(1 / (1 + (len(long.strip()) - 1600) / 5000))
    assert one("tif_paper", long).components["length"] == 1.0  # the release counts what stands inside the sections
    inside = report(f"{FINDINGS} {padding}")
    assert one("tif_paper", inside).components["length"] < 1.0


def test_normal_references() -> None:
    normal = report("The lungs are clear. No pleural effusion.", "No acute abnormality.")
    assert one("tif", normal, normal).value == 1.0
    assert one("tif", report("", ""), normal).value == 0.0
    assert one("cabs_f1", normal, normal).value == 1.0
    assert one("cabs_f1", "", normal).value == 0.0
    assert one("tif_paper", report("", ""), normal).value == pytest.approx(2.1)


@pytest.mark.parametrize("name", REPORTS)
def test_an_unread_reference_is_unscorable(name: str) -> None:
    found = one(name, TAGS, "xyz")
    assert (found.value, found.status, found.reason) == (None, "unscorable", "the reference was not read")


@pytest.mark.parametrize("name", [*REPORTS, "rouge_l"])
def test_a_failure_stays_with_its_sample(name: str) -> None:
    made = reward(name)
    examples = [Example(TAGS, TAGS), Example(5, TAGS), Example(TAGS, {"a": 1}), Example(TAGS, TAGS)]
    first, no_text, no_reference, last = made.score_batch(examples)
    assert first == last
    assert first.status == "ok"
    for failed in (no_text, no_reference):
        assert (failed.value, failed.status) == (None, "error")
        assert tuple(failed.components) == made.components
        assert set(failed.components.values()) == {0.0}
    assert "completion" in no_text.reason
    assert "reference" in no_reference.reason
    with pytest.raises(CabsError, match="completion"):
        made.score_batch(examples, strict=True)


def test_what_was_cut_says_so() -> None:
    assert one("tif", TAGS, truncated=True).status == "truncated"
    assert one("tif", TAGS[:-5], truncated=True).value == 0.0
    thought = one("tif", f"<think>{TAGS}")
    assert (thought.status, thought.value) == ("truncated", 0.0)
    long = one("tif", TAGS + " x" * 20_000)
    assert long.status == "truncated"
    assert "20000 characters" in long.reason


def judgement(*flags: str, false: int = 0) -> dict[str, Any]:
    """One verdict for each of "1" (right), "p" (wrong place), "0" (missed)."""
    shapes = {"1": (True, True, True), "p": (True, False, True), "0": (False, False, False)}
    names = ("hit", "location_match", "attribute_match")
    verdicts = [dict(zip(names, shapes[flag], strict=True)) for flag in flags]
    return {"abnormalities": verdicts, "false_positive": [{"name": "z"}] * false}


def test_a_given_judgement() -> None:
    both = {"findings": judgement("1", "p"), "impression": judgement("0", false=1)}
    found = one("tif_paper", TAGS, RECORD, judgement=both)
    findings = (1 - (0 + 0.25**2) / 2) + 1 + 0.2 * 0.75 + 0.05
    impression = 0 + (1 - (1 / (1 + 1e-8)) ** 2) + 0 + 0.05
    assert found.value == pytest.approx(0.1 + (findings + impression) / 2, abs=1e-12)
    alone = one("tif_paper", None, judgement={"findings": judgement("1"), "impression": judgement("1")})
    assert alone.value == pytest.approx(2.35)


@pytest.mark.parametrize(
    "given",
    [
        {"findings": judgement("1"), "impression": judgement("1")},
        {"findings": judgement("1", "1")},
        {"findings": judgement("1", "1", "1"), "impression": judgement("1")},
    ],
)
def test_a_judgement_speaks_of_every_listed_fact(given: object) -> None:
    found = reward("tif_paper").score_batch([Example(TAGS, RECORD, judgement=given)])[0]  # type: ignore[arg-type]
    assert found.status == "error"
    assert "verdicts for" in found.reason


def test_inputs_stay_as_they_are() -> None:
    record = copy.deepcopy(RECORD)
    one("tif", [{"role": "assistant", "content": TAGS}], record)
    assert record == RECORD
    assert record["extra_info"]["info"] == ENTITIES


def test_examples_and_results_cross_process_borders() -> None:
    example = Example(TAGS, RECORD, judgement=None, fields={"id": 1})
    result = one("tif", TAGS)
    assert pickle.loads(pickle.dumps((example, Example(TAGS), result))) == (example, Example(TAGS), result)


def test_the_scale() -> None:
    assert reward("tif_paper", scale="unit").score_batch([Example(TAGS, TAGS)])[0].value == pytest.approx(1.0)
    assert reward("tif_paper", scale="unit").bounds == (0.0, 1.0)
    with pytest.raises(SettingError, match="'half' is no scale"):
        reward("tif", scale="half")  # type: ignore[arg-type]


def test_names_and_options() -> None:
    assert reward("tif:gamma=0").score_batch([Example(report(f"{FINDINGS} Moderate ascites."), TAGS)])[0].value == 1.0
    assert reward("tif", gamma=0).work == reward("tif_no_control_effort").work
    assert "gamma:0.5" in reward("tif:gamma=0.5").signature
    assert reward("rouge_l").label == "ROUGE-L"
    assert one("rouge_l", TAGS).value == 1.0
    for spelled, said in [
        ("tiff", "there is no reward 'tiff'.*did you mean 'tif'"),
        ("tif:gama=1", "'gama' is no option of it.*gamma"),
        ("tif:gamma=much", "gamma: 'much' is no number"),
        ("tif:gamma=-1", "gamma"),
        ("tif:gamma", "'gamma' is no option"),
        ("tif:form=html", "'html' is no form"),
        ("cider", "would depend on the others"),
    ]:
        with pytest.raises(SettingError, match=said):
            reward(spelled)


def test_everything_registered_describes_itself() -> None:
    for name in REWARDS.names:
        made = reward(name)
        low, high = made.range
        assert low is None or high is None or low < high, name
        assert made.signature.startswith(f"{name}|cabs:"), name
        assert made.components, name
    assert reward("tif").components == COMPONENTS
