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
    "side of the finding before": ("Left rib fractures with pneumothorax.", "+rib_fracture_left +pneumothorax_left"),
    "side of another part": ("Left lower lobe infarct with a trace effusion.", "+pulmonary_infarct_left +pleural_effusion_left"),
    "no side for an organ without": ("Small left pleural effusion and splenomegaly.", "+pleural_effusion_left +splenomegaly"),
    "side of the heading": ("Left kidney: a 1 cm cyst in the lower pole.", "+renal_cyst_left"),
    "side alone as heading": ("Left: multiple pleural plaques.", "+pleural_plaque_left"),
    "side of an abbreviation": ("LV hypertrophy.", "+lvh_left"),
    "usual place": ("Small pericardial effusion. Moderate bilateral effusions.", "+pericardial_effusion +pleural_effusion_bilateral"),
    "no impossible place": ("The lymph nodes are normal. No fracture.", "-fracture"),
    "place of the organ before": ("Gallbladder sludge but no calculi.", "+gallbladder_sludge -cholelithiasis"),
    "region": ("Mass in the right lower quadrant.", "+abdominal_mass_right"),
    "place of the disease": ("A nodule consistent with adenoma in the right adrenal gland.", "+adrenal_nodule_right ?adrenal_adenoma_right"),
    "what goes with it": ("Consolidation with air bronchograms in the right lower lobe.", "+consolidation_right +air_bronchogram_right"),
    "another lesion with it": ("Emphysema with a 6 cm bulla in the right upper lobe.", "+emphysema +bulla_right"),
    "organs told in front": ("The liver and spleen show no injury.", "-hepatic_injury -splenic_injury"),
    "sizes then places": ("A 6 mm and a 9 mm nodule in the RUL and LLL respectively.", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "a size for each place": ("3 mm RML and 5 mm LUL nodules.", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "one lesion of two axes": ("A mass of 4 cm in length and 2 cm in width.", "+pulmonary_mass"),
    "stations": ("Enlarged nodes at station 4R (22 mm), 7 (15 mm) and 10L (13 mm).", "+lymphadenopathy_right +lymphadenopathy +lymphadenopathy_left"),
    "size behind a comma under a heading": ("Nodes: left axillary, 18 mm.", "+lymphadenopathy_left"),
    "region as heading": ("Pelvis: small quantity of fluid.", "+free_fluid"),
    "sizes under a heading": ("Nodes: right hilar 14 mm, subcarinal 9 mm.", "+lymphadenopathy_right"),
    "below a size": ("Lymph nodes with a short axis of less than 1 cm.", ""),
    "one in another clause": ("No nodule in the right lung but a 6 mm one in the left.", "-pulmonary_nodule_right +pulmonary_nodule_left"),
    "shared noun of the finding": ("No small or large bowel obstruction.", "-small_bowel_obstruction -large_bowel_obstruction"),
    "shared noun in a list": ("Sternal, left scapular and vertebral fractures.", "+sternal_fracture +scapular_fracture_left +vertebral_fracture"),
    "hedge within a list": ("Adrenal, hepatic and probable bone metastases.", "+adrenal_metastasis +liver_metastasis ?bone_metastasis"),
    "a level and its part": ("Fracture of the left L2 and L3 transverse processes.", "+transverse_process_fracture_left"),
    "advice behind its comma": ("A nodule is seen in the right upper lobe, for which CT or PET is recommended.", "+pulmonary_nodule_right"),
    "a denied list ends": ("No pneumothorax or consolidation, small left pleural effusion.", "-pneumothorax -consolidation +pleural_effusion_left"),
    "what is measured is there": ("Left effusion, 13 mm thick, effusion was not observed on the right.", "+pleural_effusion_left -pleural_effusion_right"),
    "hedge after a denial": ("Dilated small bowel without a transition point, favoring ileus.", "+small_bowel_dilatation -transition_point ?ileus"),
    "letter of a side": ("Calcified granuloma R base. Pneumonia in the RLZ.", "+granuloma_right +pneumonia_right"),
    "place behind a preposition": ("Consolidation in the left lower lobe lateral, contusion.", "+consolidation_left +lung_contusion_left"),
    "remark in brackets": ("Mosaic attenuation in both lungs (small airway disease?).", "+mosaic_attenuation_bilateral ?bronchiolitis_bilateral"),
    "side in front of all": ("On the left, there are pleural plaques on the costal surface.", "+pleural_plaque_left"),
    "side behind a row": ("Perihilar opacities with bronchial wall thickening bilaterally.", "+lung_opacity_bilateral +bronchial_wall_thickening_bilateral"),
    "place behind what it explains": ("Nodule of 17 mm, likely adenoma, on the left adrenal.", "+adrenal_nodule_left ?adrenal_adenoma_left"),
    "both of two things": ("Pyelonephritis and rejection both remain possible.", "?pyelonephritis ?transplant_rejection"),
    "a grade on each side": ("Bilateral effusions, large on the right and small on the left.", "+pleural_effusion_right +pleural_effusion_left"),
    "measured around the noun": ("8 mm nodule on the right and 5 mm on the left.", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "measured in front of the noun": ("8 mm and 5 mm nodules in the right upper lobe.", "+pulmonary_nodule_right +pulmonary_nodule_right"),
    "numbered places of either organ": ("In segments 6 and 10 on the right there are nodules.", "+pulmonary_nodule_right"),
    "organs in a row": ("The liver and spleen contain small nodules.", "+hepatic_nodule +nodule@spleen"),
    "last word hedges": ("RLL pneumonia likely.", "?pneumonia_right"),
    "a change of each": ("LLL nodule stable, LUL nodule resolved.", "+pulmonary_nodule_left -pulmonary_nodule_left"),
    "disease of the sentence before": ("Nodular pleural thickening on the left. The appearance suggests mesothelioma.", "+pleural_thickening_left ?mesothelioma_left"),
    "position in the part before": ("Enlarged left kidney. A small cyst lies posteriorly.", "+renal_enlargement_left +renal_cyst_left"),
    "none elsewhere": ("Effusion in the left pleural space, none on the right.", "+pleural_effusion_left -pleural_effusion_right"),
    "left by an operation": ("The right upper lobe has undergone lobectomy, with volume loss.", "+lobectomy_right +volume_loss_right"),
    "no side for the next denial": ("6 mm nodule in the right upper lobe. No new nodules.", "+pulmonary_nodule_right -pulmonary_nodule"),
    "disease before a colon": ("Pneumonia: consolidation in the left lower lobe.", "+pneumonia +consolidation_left"),
    "finding before a colon": ("Renal mass: 3 cm, suspicious for oncocytoma.", "+renal_mass ?oncocytoma"),
    "kind before a colon": ("Nodules: a 5 mm nodule in the right upper lobe.", "+pulmonary_nodule_right"),
    "another structure measured": ("Heart enlarged, pulmonary trunk 32 mm.", "+cardiomegaly"),
    "ipsilateral and contralateral": ("Left lung mass, ipsilateral effusion and a contralateral lung nodule.", "+pulmonary_mass_left +pleural_effusion_left +pulmonary_nodule_right"),
    "another region before": ("Scoliosis. Surgical clips in the right upper quadrant.", "+scoliosis +surgical_clips_right"),
    "headings in brackets": ("[Findings] Small left effusion.\n[Indication] Pneumothorax?", "+pleural_effusion_left"),
    "clinical note on the same line": ("CHEST. Clinical: cough. Small left effusion. No pneumothorax.", "+pleural_effusion_left -pneumothorax"),
    "misspelt": ("Right pleural efusion with atelctasis.", "+pleural_effusion_right +atelectasis_right"),
    "number sign": ("Old right 7th rib #. Nodule in the left lung (image #38).", "+rib_fracture_right +pulmonary_nodule_left"),
    "density in front of a noun": ("Ground-glass nodule in the left lung.", "+pulmonary_nodule_left"),
    "aside among the findings": ("FINDINGS:\nImage quality: good.\nPleura: small left effusion.", "+pleural_effusion_left"),
    "short aside in front": ("Comparison: none. Small left pleural effusion.", "+pleural_effusion_left"),
    "side of what it is compared with": ("The right ventricle is larger than the left ventricle.", "+right_ventricular_enlargement_right"),
    "side seen from before": ("Left mastectomy, with a 12 mm axillary node on that side.", "+mastectomy_left +lymphadenopathy_left"),
    "landmark of a pair": ("Tracheal stenosis 2 cm below the vocal cords.", "+tracheal_stenosis"),
    "modifiers in a list": ("Left thyroid lobe, hypodense, 22 mm nodule.", "+thyroid_nodule_left"),
    "the largest of several nodes": ("Several mediastinal lymph nodes are seen. The largest measures 14 mm.", "+lymphadenopathy"),
    "the largest of each side": ("The largest right axillary node is 21 mm and the largest left axillary node is 16 mm.", "+lymphadenopathy_right +lymphadenopathy_left"),
    "the largest is small": ("Several mediastinal lymph nodes are seen. The largest measures 8 mm.", ""),
    "the largest in a later clause": ("A few mediastinal nodes are noted; the dominant one, right paratracheal, is 14 mm.", "+lymphadenopathy_right"),
    "the largest of denied ones": ("No enlarged lymph nodes are seen. The largest is 14 mm.", "-lymphadenopathy"),
    "exception of one kind": ("No mass or bronchiectasis apart from mild bronchiectasis in the lingula.", "-pulmonary_mass +bronchiectasis_left"),
    "what is measured in a denied list is there": ("No pseudoaneurysm or AV fistula, on the left a seroma of 3.5 cm.", "-pseudoaneurysm -arteriovenous_fistula +seroma_left"),
    "a bound is no size": ("No effusion, consolidation or nodule larger than 1 cm.", "-pleural_effusion -consolidation -pulmonary_nodule"),
    "place of a measured lesion alone": ("No pleural effusion, a 6 mm nodule in the left lower lobe.", "-pleural_effusion +pulmonary_nodule_left"),
    "clause in a name": ("The gallbladder is not large, the wall is thickened.", "-gallbladder_distension +gallbladder_wall_thickening"),
    "denied by a bare not": ("SVC is patent, the left brachiocephalic vein is not, being occluded by thrombus.", "+venous_thrombosis_left"),
    "size of an organ without a verb": ("Stenosis of the stent, right kidney small (8.2 cm).", "+stenosis +stent +small_kidney_right"),
    "size of a finding behind its place": ("Consolidation in the left lower lobe small.", "+consolidation_left"),
    "items below a finding": ("Pulmonary nodules:\n1. RUL 6 mm (image 40).\n2. LLL 4 mm (image 80).", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "numbered items behind a finding": ("Pulmonary nodules: 1. RUL 6 mm. 2. LLL 4 mm.", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "places with a size below a finding": ("Liver lesions:\n- segment 4: 12 mm\n- segment 7: 8 mm", "+hepatic_lesion +hepatic_lesion"),
    "sizes in front of places": ("Nodules:\n- 6 mm, right upper lobe\n- 4 mm, left lower lobe", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "sizes of one side each": ("Simple cysts in both kidneys, the largest on the right 4 cm and on the left 2 cm.", "+renal_cyst_right +renal_cyst_left"),
    "grades behind sides": ("Effusions: right moderate, left small.", "+pleural_effusion_right +pleural_effusion_left"),
    "adjective at the end": ("Nodule 2: 4 mm, LLL, ground-glass.", "+pulmonary_nodule_left"),
    "two adjectives and sizes": ("A 6 mm solid and a 4 mm ground-glass nodule in the right upper lobe.", "+pulmonary_nodule_right +pulmonary_nodule_right"),
    "one for a noun": ("A 6 mm solid nodule in the right lung and a 4 mm ground-glass one in the left lung.", "+pulmonary_nodule_right +pulmonary_nodule_left"),
    "side of the subject": ("The left kidney shows a 3.2 cm solid mass at the upper pole.", "+renal_mass_left"),
    "side of the subject for each": ("The left lung has a 6 mm nodule in the upper lobe and a 4 mm nodule in the lower lobe.", "+pulmonary_nodule_left +pulmonary_nodule_left"),
    "side of a device, not of its end": ("Left PICC with tip in the right atrium.", "+picc_left"),
    "side of a line, not of its end": ("A right subclavian line ends in the left brachiocephalic vein.", "+cvc_right"),
    "technique with non": ("Non contrast: high attenuation in the wall of the aorta.", "+density_increase@aorta"),
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


@pytest.mark.parametrize(
    "told",
    [
        "12 mm (9 mm)",
        "12 mm, was 9 mm",
        "12 mm versus 9 mm",
        "grown to 12 mm from 9 mm",
        "grown from 9 to 12 mm",
        "up from 9 mm to 12 mm",
    ],
)
def test_an_earlier_size_is_told_in_many_ways(told: str) -> None:
    attributes = _attributes(f"Nodule in the right upper lobe, {told}.")
    assert [mm for kind, _, mm in attributes if kind == "size"] == [(12.0,)]
    assert ("change", "increased", ()) in attributes


def test_a_prior_without_unit_takes_no_present_size() -> None:
    assert ("size", None, (30.0, 17.0)) in _attributes("Nodule in the right upper lobe, 3.0 x 1.7 cm, previously 1.4.")


@pytest.mark.parametrize(
    ("text", "likelihood"),
    [
        ("Pneumonia.", "definite"),
        ("Probable pneumonia.", "probable"),
        ("Possible pneumonia.", "possible"),
        ("Pneumonia cannot be excluded.", "doubtful"),
    ],
)
def test_certainty_has_grades(text: str, likelihood: str) -> None:
    (fact,) = parse(text).facts
    assert fact.likelihood == likelihood
    assert fact.certainty == ("definite" if likelihood == "definite" else "possible")


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("Nodule along the minor fissure.", "along the minor fissure"),
        ("Effusion on the left.", "left"),
        ("The liver is enlarged.", ""),
        ("Enlarged right hilar nodes.", "right hilar"),
        ("Metastases in segments 6 and 7 of the liver.", "segments 6 and 7 of the liver"),
        ("Left lower lobe collapse.", "Left lower lobe"),
    ],
)
def test_location_in_the_words_of_the_report(text: str, location: str) -> None:
    assert parse(text).facts[0].location.text == location


def test_length_of_what_follows() -> None:
    assert ("size", None, (14.0,)) in _attributes("14 mm of pericardial fluid.")


def test_an_adverb_grades_the_word_of_degree_behind_it() -> None:
    attributes = _attributes("One right paratracheal node is marginally large at 11 mm.")
    assert [value for kind, value, _ in attributes if kind == "severity"] == ["mild"]


def test_a_predicate_of_another_organ_grades_the_finding() -> None:
    left = parse("Right pleural effusion is moderate and the left one is small.").facts[1]
    assert [(a.kind, a.value) for a in left.attributes] == [("severity", "small")]


def test_the_place_in_a_name_is_known() -> None:
    (fact,) = parse("Curvature of the lumbar spine.").facts
    assert fact.location.ids == ("lumbar_spine",)


def test_severity_is_typed() -> None:
    assert ("severity", "mild", ()) in _attributes("Mild cardiomegaly.")


def test_places_resolve() -> None:
    (fact,) = parse("Nodule in the apical segment of the right upper lobe.").facts
    ontology = load_ontology()
    assert fact.side == "right"
    assert fact.location.text == "apical segment of the right upper lobe"
    assert all(ontology.organ_of(place) == "lung" for place in fact.location.ids)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("RUL: small nodule.", ("rul",)),
        ("RUL: nodule in the apical segment.", ("lung_upper_apical",)),
        ("Lungs: small nodule.", ()),
        ("Left seventh rib fracture.", ("rib_7",)),
        ("Two hypodensities in segment 4 of the liver.", ("liver_seg_4",)),
    ],
)
def test_places_of_headings_and_shared_nouns(text: str, places: tuple[str, ...]) -> None:
    assert parse(text).facts[0].location.ids == places


def test_a_density_as_a_noun_stays_a_property() -> None:
    (fact,) = parse("Two hypodensities in the spleen.").facts
    assert fact.entity == "splenic_lesion"
    assert ("density", "hypodense") in [(a.kind, a.value) for a in fact.attributes]


def test_predicate_before_a_bare_part() -> None:
    facts = parse("Sclerotic posterior region of one vertebral body.").facts
    assert [fact.organ for fact in facts] == ["spine"]


@pytest.mark.parametrize(
    ("text", "organs"),
    [
        ("No bone or joint abnormality demonstrated.", {"bone"}),
        ("No pleural or pericardial abnormality.", {"pleura", "pericardium"}),
        ("No abnormality of the liver or spleen.", {"liver", "spleen"}),
    ],
)
def test_any_abnormality_of_an_organ_is_denied(text: str, organs: set[str]) -> None:
    assert {normal.organ for normal in parse(text).normal} == organs
