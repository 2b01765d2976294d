"""What the parser does with the shapes of sentences: one table, text against all the facts that it states."""

from __future__ import annotations

import pytest

from cabs.ontology import load_ontology
from cabs.ontology.examples import read_fact, written
from cabs.parsing import parse

CASES = {
    "negated list": ("No pleural effusion, pneumothorax or consolidation.", "-pleural_effusion -pneumothorax -consolidation"),
    "list denied at its end": ("Pleural effusion or pneumothorax was not detected.", "-pleural_effusion -pneumothorax"),
    "but ends a denial": ("No pneumothorax, but a small left pleural effusion is present.", "-pneumothorax +pleural_effusion_left"),
    "exception": ("No abnormality of the lungs except for a calcified nodule in the right upper lobe.", "+pulmonary_nodule_right"),
    "two clauses": ("Pleural effusion is seen and pneumothorax is not seen.", "+pleural_effusion -pneumothorax"),
    "comma opens a clause": ("Small pleural effusion, no pneumothorax.", "+pleural_effusion -pneumothorax"),
    "not only": ("There is not only atelectasis but also pleural effusion.", "+atelectasis +pleural_effusion"),
    "denied predicate": ("The spleen is not enlarged.", "-splenomegaly"),
    "predicate": ("The spleen is enlarged.", "+splenomegaly"),
    "predicate before": ("Enlarged spleen.", "+splenomegaly"),
    "two subjects": ("The liver and spleen are enlarged.", "+hepatomegaly +splenomegaly"),
    "heading carries the organ": ("Spleen: Enlarged.", "+splenomegaly"),
    "hedge reaches the disease": ("Consolidation in the left lower lobe suspicious for pneumonia.", "+consolidation_left ?pneumonia_left"),
    "hedge behind": ("Pneumonia cannot be excluded.", "?pneumonia"),
    "alternatives": ("Atelectasis versus pneumonia.", "?atelectasis ?pneumonia"),
    "cyst of the kidney": ("There is a cyst in the left kidney.", "+renal_cyst_left"),
    "renal cyst": ("Left renal cyst.", "+renal_cyst_left"),
    "two organs": ("Cysts in the liver and kidneys.", "+hepatic_cyst +renal_cyst_bilateral"),
    "shared noun": ("No pleural or pericardial effusion.", "-pleural_effusion -pericardial_effusion"),
    "shared place": ("Consolidation and pleural effusion on the left.", "+consolidation_left +pleural_effusion_left"),
    "subject place": ("The right kidney contains a cyst.", "+renal_cyst_right"),
    "fronted place": ("In the left kidney, there is a 2 cm cyst.", "+renal_cyst_left"),
    "resolved": ("The previously seen pleural effusion has resolved.", "-pleural_effusion"),
    "recommendation": ("Follow-up CT in 3 months is recommended for the nodule.", ""),
    "history gives nothing": ("History of pneumonia.", ""),
    "normality": ("The liver is unremarkable.", ""),
    "ignored section": ("Indication: rule out pneumothorax.\nFindings: Small pleural effusion.", "+pleural_effusion"),
    "told twice": ("Right pleural effusion. The pleural effusion is small.", "+pleural_effusion_right"),
    "told by measure": ("A 5 mm nodule in the right upper lobe. An 8 mm nodule in the right upper lobe.", "+pulmonary_nodule_right +pulmonary_nodule_right"),
    "definite noun": ("There is a 3 cm mass in the right kidney. The mass is solid.", "+renal_mass_right"),
    "decimal comma": ("A 3,5 mm nodule in the left lung.", "+pulmonary_nodule_left"),
}  # fmt: skip


def _expected(notation: str) -> list[str]:
    facts = []
    for word in notation.split():
        for side in ("right", "left", "bilateral"):
            if word.endswith(f"_{side}"):
                word = f"{word.removesuffix(f'_{side}')} {side}"
        facts.append(word)
    return facts


@pytest.mark.parametrize("name", CASES)
def test_sentence(name: str) -> None:
    text, notation = CASES[name]
    ontology = load_ontology()
    facts = list(parse(text).facts)
    expected = [read_fact(fact, ontology) for fact in _expected(notation)]
    found = [written(fact) for fact in facts]
    assert len(facts) == len(expected), found
    for want in expected:
        assert any(want.meets(fact) for fact in facts), (want, found)


def _attributes(text: str) -> list[tuple[str, str | None, tuple[float, ...]]]:
    (fact,) = parse(text).facts
    return [(a.kind, a.value, a.mm) for a in fact.attributes]


def test_measurement_goes_to_its_finding() -> None:
    assert ("size", None, (32.0, 27.0)) in _attributes("A 3.2 x 2.7 cm mass in the right kidney.")


@pytest.mark.parametrize("size", ["5.3*4.6 cm", "5.3 * 4.6 cm", "5.3×4.6 cm", "**5.3 x 4.6 cm**"])
def test_an_asterisk_is_a_sign_only_between_numbers(size: str) -> None:
    assert ("size", None, (53.0, 46.0)) in _attributes(f"A {size} mass in the right kidney.")


def test_earlier_size_is_a_change() -> None:
    attributes = _attributes("Nodule in the right upper lobe, 9 mm (previously 7 mm).")
    assert ("size", None, (9.0,)) in attributes
    assert ("change", "increased", ()) in attributes


def test_severity_is_typed() -> None:
    assert ("severity", "mild", ()) in _attributes("Mild cardiomegaly.")


def test_places_resolve() -> None:
    (fact,) = parse("Nodule in the apical segment of the right upper lobe.").facts
    ontology = load_ontology()
    assert fact.side == "right"
    assert fact.location.text == "apical segment of the right upper lobe"
    assert all(ontology.organ_of(place) == "lung" for place in fact.location.ids)


def test_predicate_before_a_bare_part() -> None:
    facts = parse("Sclerotic posterior region of one vertebral body.").facts
    assert [fact.organ for fact in facts] == ["spine"]
