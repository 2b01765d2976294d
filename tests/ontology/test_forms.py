from __future__ import annotations

import pytest

from cabs.ontology import Ontology
from cabs.ontology.forms import Surface


@pytest.mark.parametrize(
    ("singular", "plurals"),
    [
        ("nodule", ["nodules"]),
        ("mass", ["masses"]),
        ("opacity", ["opacities"]),
        ("airway", ["airways"]),
        ("branch", ["branches"]),
        ("stenosis", ["stenoses"]),
        ("metastasis", ["metastases"]),
        ("bronchiectasis", ["bronchiectases"]),
        ("calculus", ["calculi", "calculuses"]),
        ("atrium", ["atria", "atriums"]),
        ("vertebra", ["vertebrae", "vertebras"]),
        ("apex", ["apices", "apexes"]),
        ("pancreas", []),
        ("ascites", []),
        ("disease", ["diseases"]),
        ("size", ["sizes"]),
        ("base", ["bases"]),
        ("l2", []),
    ],
)
def test_plurals(tiny: Ontology, singular: str, plurals: list[str]) -> None:
    assert list(tiny.spelling.plural(singular)) == plurals
    for plural in plurals:
        assert tiny.spelling.singular(plural) == singular, "and back"
        assert tiny.spelling.plural(plural) == (), "a plural has no plural"
    assert tiny.spelling.singular(singular) == singular


@pytest.mark.parametrize("word", ["pneumonia", "valve", "diabetes", "thrombus", "hernia", "abscess", "pelvis", "gas"])
def test_words_that_only_look_like_plurals(tiny: Ontology, word: str) -> None:
    assert tiny.spelling.singular(word) == word


def test_a_phrase_takes_its_plural_on_the_head(tiny: Ontology) -> None:
    assert tiny.spelling.plurals("fracture of rib") == ("fracture of rib", "fractures of rib")
    assert tiny.spelling.plurals("renal cyst") == ("renal cyst", "renal cysts")
    assert tiny.spelling.plurals("surgical clips") == ("surgical clips", "surgical clip")
    assert tiny.spelling.plurals("") == ()


@pytest.mark.parametrize(
    ("form", "variants"),
    [
        ("Haematoma", {"haematoma", "hematoma"}),
        ("hemorrhage", {"hemorrhage", "haemorrhage"}),
        ("pleural oedema", {"pleural oedema", "pleural edema"}),
        ("localised tumor", {"localised tumor", "localized tumor", "localised tumour"}),
        ("ground-glass opacity", {"ground glass opacity", "groundglass opacity"}),
        ("subpleural", {"subpleural", "sub pleural"}),
        ("non-specific", {"non specific", "nonspecific"}),
        ("Crohn\u2019s disease", {"crohn's disease", "crohn disease", "crohns disease"}),
        ("Santorini's duct", {"santorini's duct", "santorini duct"}),
        ("disc bulge", {"disc bulge", "disk bulge"}),
    ],
)
def test_spellings(tiny: Ontology, form: str, variants: set[str]) -> None:
    assert set(tiny.spelling.expand(form)) == variants


@pytest.mark.parametrize("word", ["arising", "disease", "discharge", "contour", "swelling", "excised", "systemic"])
def test_words_that_spelling_rules_leave_alone(tiny: Ontology, word: str) -> None:
    assert tiny.spelling.american.replace(word) == word
    assert tiny.spelling.british.replace(word) == word


def test_surface_forms_of_a_record(tiny: Ontology) -> None:
    forms = tiny.surface_forms(tiny.entities["pleural_effusion"])
    assert forms == (
        Surface("pleural effusion", False),
        Surface("pleural effusions", False),
        Surface("pe", False),
        Surface("pes", False),
    )
    assert tiny.surface_forms(tiny.entities["pleural_effusion"]) is forms
    assert Surface("poles of kidney", False) in tiny.surface_forms(tiny.structures["renal_pole"])
    assert tiny.spelling.surfaces((), ["COPD", "cm"]) == (
        Surface("copd", False),
        Surface("copds", False),
        Surface("cm", True),
        Surface("cms", True),
    )
    assert tiny.variants(["large", "very-large"]) == ("large", "very large")
