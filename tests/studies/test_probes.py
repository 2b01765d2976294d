"""Probes: the texts are what they claim to be, and rules are held against metrics as they are written."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from cabs.errors import InputError
from cabs.metrics.intervals import Resampling
from cabs.metrics.pair_metric import Empty, metric
from cabs.metrics.registered import pair_metric
from cabs.ontology import load_ontology
from cabs.studies.probes import References, edits, probes, read_references
from cabs.studies.probes.cut import Cut, Cutter
from cabs.studies.probes.data import Lexicon, load
from cabs.studies.probes.files import write_probes
from cabs.studies.probes.texts import probe_texts

BARE = Resampling(n=0)
CHEST = (
    "FINDINGS: There is a 9 mm nodule in the right upper lobe. No pleural effusion or pneumothorax. Moderate emphysema."
    " A cyst is seen in the left kidney. It measures 2 cm. There is no ascites.\nIMPRESSION: Right upper lobe nodule."
)
ABDOMEN = "Cholelithiasis. Hepatic steatosis. Small left pleural effusion. No hydronephrosis."
NORMAL = "The lungs are clear. No pleural effusion. The liver is normal."


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load()[1]


@pytest.fixture(scope="module")
def cutter() -> Cutter:
    return Cutter(load_ontology())


@pytest.fixture
def chest(cutter: Cutter) -> Cut:
    return cutter.cut("chest", CHEST)


def sentences(text: str) -> list[str]:
    return [said.strip() for said in re.split(r"(?<=[.:])\s+", text) if said.strip()]


def test_a_reference_is_cut_into_its_sentences(chest: Cut) -> None:
    said = [chest.said(at) for at in range(len(chest.sentences))]
    assert said == [s for s in sentences(CHEST) if not s.endswith(":")]
    stated = {chest.said(at) for at in chest.findings}
    assert "Moderate emphysema." in stated
    assert "There is no ascites." not in stated
    assert chest.with_changed({}) == CHEST


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("There is a 9 mm nodule in the right lung.", "There is no 9 mm nodule in the right lung."),
        ("A cyst is seen in the left kidney.", "No cyst is seen in the left kidney."),
        ("Moderate emphysema.", "No moderate emphysema."),
        ("The liver contains a cyst.", "The liver contains no cyst."),
        ("There is no evidence of ascites.", "There is ascites."),
        ("No pleural effusion or pneumothorax.", "Pleural effusion and pneumothorax."),
        ("Pleural effusion is not seen.", "Pleural effusion is seen."),
        ("No pleural effusion is identified.", "Pleural effusion is identified."),
    ],
)
def test_negations_are_flipped(cutter: Cutter, lexicon: Lexicon, text: str, turned: str) -> None:
    cut = cutter.cut("x", text)
    assert cut.with_changed(edits.negated(cut, lexicon)) == turned


@pytest.mark.parametrize(
    "text", ["There is a cyst but no stone.", "Emphysema without bullae.", "Consolidation, likely infectious, is seen."]
)
def test_sentences_that_say_more_than_one_thing_are_not_denied(cutter: Cutter, lexicon: Lexicon, text: str) -> None:
    assert edits.negated(cutter.cut("x", text), lexicon) == {}


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Left pleural effusion. No right pleural effusion.", "Right pleural effusion. No right pleural effusion."),
        ("9 mm nodule in the RUL.", "9 mm nodule in the LUL."),
        ("Right-sided pneumothorax.", "Left-sided pneumothorax."),
        ("Consolidation in the right middle lobe.", "Consolidation in the right middle lobe."),
    ],
)
def test_sides_are_flipped_in_findings_alone(cutter: Cutter, lexicon: Lexicon, text: str, turned: str) -> None:
    cut = cutter.cut("x", text)
    assert cut.with_changed(edits.sides(cut, lexicon)) == turned


def test_every_finding_is_hedged_and_no_denial(chest: Cut, lexicon: Lexicon) -> None:
    changed = edits.hedged(chest, lexicon)
    assert chest.with_changed(changed) == (
        "FINDINGS: There may be a 9 mm nodule in the right upper lobe. No pleural effusion or pneumothorax. Possible"
        " moderate emphysema. A cyst is possibly seen in the left kidney. It measures 2 cm. There is no ascites.\n"
        "IMPRESSION: Possible right upper lobe nodule."
    )


def test_shuffling_keeps_sections_and_what_leans_on_the_sentence_before(chest: Cut, lexicon: Lexicon) -> None:
    from random import Random

    for seed in range(20):
        text = chest.shuffled(lexicon, Random(seed))
        assert text is not None
        assert text != CHEST
        assert Counter(sentences(text)) == Counter(sentences(CHEST))
        assert "left kidney. It measures 2 cm." in text
        assert text.endswith("\nIMPRESSION: Right upper lobe nodule.")


def test_sentences_below_other_words_do_not_change_places(cutter: Cutter, lexicon: Lexicon) -> None:
    from random import Random

    cut = cutter.cut("x", "Lungs: Emphysema. Liver: Hepatic cyst. Kidneys: Renal cyst.")
    assert cut.shuffled(lexicon, Random(0)) is None


def test_the_texts_of_a_reference(cutter: Cutter, lexicon: Lexicon) -> None:
    cuts = [cutter.cut("a", ABDOMEN), cutter.cut("b", CHEST)]
    first, _ = probe_texts(cuts, lexicon, load_ontology(), {}, 0)
    assert first["partial"] == "Cholelithiasis. Small left pleural effusion. No hydronephrosis."
    assert first["doubled"] == (
        "Cholelithiasis. Cholelithiasis. Small left pleural effusion. Small left pleural effusion. No hydronephrosis."
    )
    assert first["without_sides"] == "Cholelithiasis. Hepatic steatosis. No hydronephrosis."
    assert "cholelithiasis" not in first["template"].lower(), "a template knows the others, not the patient"
    assert "emphysema" in first["template"]
    assert (first["empty"], first["reference"]) == ("", ABDOMEN)
    assert len(sentences(first["everything"])) == len(sentences(first["everything_hedged"])) > 100


def test_cabs_own_metrics_pass_and_words_in_common_do_not() -> None:
    said = "There are stones in the gallbladder. Fatty liver. A small pleural effusion on the left. No hydronephrosis."
    references = References({"a": ABDOMEN, "b": CHEST, "c": NORMAL}, {"a": said})
    metrics = [pair_metric("fc_f1"), pair_metric("cabs_score"), pair_metric("f1"), words]
    result = probes(references, metrics, load_ontology(), resampling=BARE)
    assert (result.references, result.normal, result.unread, result.written) == (2, 1, 0, 1)
    fc_f1, score, f1, common = result.metrics
    assert [name for name, passed in fc_f1.verdicts.items() if passed is not True] == []
    assert [name for name, passed in score.verdicts.items() if passed is not True] == []
    assert f1.verdicts["sides"] is False, "which finding is not where"
    assert common.verdicts["negated"] is False
    assert common.verdicts["paraphrase"] is False
    assert "shuffled" not in common.verdicts, "nothing is asked of words in common"


@metric(name="words", family="surface", higher=True, empty=Empty(0.0, 0.0, 0.0))
def words(references, predictions):
    def found(r: str, p: str) -> float:
        a, b = set(r.lower().split()), set(p.lower().split())
        return len(a & b) / len(a | b) if a | b else 0.0

    return [found(r, p) for r, p in zip(references, predictions, strict=True)]


@metric(name="reversed", family="clinical", higher=False, range=(None, None), empty=Empty(7.0, 7.0, 7.0))
def reversed_(references, predictions):
    """A sound metric on a scale of its own, less being better: 7 for silence, 3 for the reference."""
    own = pair_metric("cabs_score").measure(references, predictions).values
    return [7.0 - 4.0 * value for value in own]


def test_the_scale_is_the_same_for_every_metric() -> None:
    references = References({"a": ABDOMEN, "b": CHEST}, {})
    result = probes(references, [pair_metric("cabs_score"), reversed_], load_ontology(), resampling=BARE)
    own, other = result.metrics
    for name, value in own.values.items():
        assert other.values[name].worth == pytest.approx(value.worth), name
    assert (own.values["empty"].worth, own.values["reference"].worth) == (0.0, 1.0)
    assert {k: v for k, v in own.verdicts.items() if k != "hedged"} == {
        k: v for k, v in other.verdicts.items() if k != "hedged"
    }


@metric(name="flat", family="clinical", higher=True, empty=Empty(1.0, 1.0, 1.0))
def flat(references, predictions):
    return [1.0] * len(references)


def test_a_metric_that_cannot_tell_the_reference_from_silence_has_no_scale() -> None:
    (found,) = probes(References({"a": ABDOMEN}, {}), [flat], load_ontology(), resampling=BARE).metrics
    assert set(found.verdicts.values()) == {None}
    assert all(check.reason for check in found.checks)


def test_intervals_of_a_lead_draw_references() -> None:
    texts = {str(at): text for at, text in enumerate([ABDOMEN, CHEST, f"{ABDOMEN} {CHEST}"] * 3)}
    found = probes(References(texts, {}), [pair_metric("fc_f1")], load_ontology(), resampling=Resampling(n=100))
    checks = [c for c in found.metrics[0].checks if c.probe == "sides"]
    assert all(c.interval is not None and c.interval.low <= c.lead <= c.interval.high for c in checks)
    assert all(c.interval.contributing == c.references for c in checks if c.interval is not None)


def test_rules_name_margins_and_texts_that_there_are() -> None:
    data, _, _ = load()
    assert {rule.by for probe in data.probes for rule in probe.rules if rule.by} == data.margins.keys()
    assert all(probe.why and probe.rules for probe in data.probes)


def test_references_are_read_from_reports_pairs_and_cases(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    rows = [
        {"id": "a", "report": ABDOMEN, "paraphrase": "Gallstones."},
        {"id": "b", "reference": CHEST, "prediction": "x", "system": "one"},
        {"id": "b", "reference": CHEST, "prediction": "y", "system": "two"},
        {"id": "c", "reference": NORMAL, "variants": [{"text": "x", "errors": [{}]}, {"text": "Clear.", "errors": []}]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    found = read_references(path)
    assert found == References({"a": ABDOMEN, "b": CHEST, "c": NORMAL}, {"a": "Gallstones.", "c": "Clear."})
    path.write_text("\n".join(map(json.dumps, [rows[1], {**rows[2], "reference": "other"}])))
    with pytest.raises(InputError, match=r"r\.jsonl:2: id 'b' comes twice with another text"):
        read_references(path)
    path.write_text(json.dumps({"id": "a", "facts": []}))
    with pytest.raises(InputError, match=r"r\.jsonl:1"):
        read_references(path)


def test_references_without_findings_are_no_ground_for_probes() -> None:
    with pytest.raises(InputError, match="no reference has findings"):
        probes(References({"a": NORMAL}, {}), [flat], load_ontology())


def test_files_without_text(tmp_path: Path) -> None:
    result = probes(References({"a": ABDOMEN}, {}), [pair_metric("fc_f1")], load_ontology(), resampling=BARE)
    for name, text in (("with", True), ("bare", False)):
        write_probes(result, tmp_path / name, text=text)
    assert "Small left pleural effusion" in (tmp_path / "with" / "texts.csv").read_text()
    names = sorted(p.name for p in (tmp_path / "bare").iterdir())
    assert names == ["checks.csv", "results.json", "values.csv", "verdicts.csv"]
    assert all("Small left" not in p.read_text() for p in (tmp_path / "bare").iterdir())
    assert json.loads((tmp_path / "bare" / "results.json").read_text()) == json.loads(json.dumps(result.to_json()))
