"""The ontology that ships: clean, complete on the organ axis, and every name its own."""

from __future__ import annotations

import pytest

from cabs.ontology import Ontology
from cabs.ontology.lint import lint
from cabs.ontology.lint_names import shared
from cabs.ontology.names import Names
from cabs.values import OTHER

ORGANS = """
lung airway pleura mediastinum heart pericardium aorta pulmonary_artery vessel lymph_node esophagus thyroid
breast chest_wall diaphragm spine bone liver biliary gallbladder pancreas spleen adrenal kidney urinary_tract
bladder stomach bowel appendix peritoneum retroperitoneum uterus ovary prostate male_genital abdominal_wall
soft_tissue brain head_neck muscle body device
"""
KINDS = """
size severity count density margin shape texture enhancement distribution change acuity character type
effect other
"""


def test_the_lint_finds_nothing() -> None:
    assert [str(problem) for problem in lint()] == []


def test_the_axes_are_those_of_the_guidelines(real: Ontology) -> None:
    assert real.organs.keys() == set(ORGANS.split())
    assert real.attribute_kinds.keys() == set(KINDS.split())


def test_every_name_is_its_own(real: Ontology) -> None:
    keys = Names(real.spelling)
    listed = shared(real, keys)
    for entity in real.entities.values():
        if entity.kind == "root" or entity.id == OTHER:
            continue
        for name in (entity.label, *entity.forms, *entity.abbreviations):
            if keys.key(name) not in listed:
                assert real.resolve(name) == entity.id, name
                assert real.resolve(name.upper()) == entity.id, name


def test_distinct_names_stay_apart(real: Ontology) -> None:
    assert real.distinct
    for pair in real.distinct:
        assert real.resolve(pair.a) is None or real.resolve(pair.a) != real.resolve(pair.b), pair


def test_findings_and_places_compose_to_the_listed_entity(real: Ontology) -> None:
    for entity in real.entities.values():
        if entity.finding:
            assert real.compose(entity.finding, entity.places[:1]) == entity.id
    for finding in (e for e in real.entities.values() if not e.organs and e.kind == "abnormality" and e.id != OTHER):
        for organ in real.organs:
            made = real.entity(real.compose(finding.id, (), organ))
            assert made.id == finding.id or made.finding == finding.id or finding.id in made.other_findings


def test_every_entity_has_a_weight(real: Ontology) -> None:
    assert {real.weight(id) for id in real.entities} <= {1, 0.5, 0.25, 0.1}


@pytest.mark.parametrize("word", ["mass effect", "cystic duct", "no pleural effusion", "xylophone", "right lung", ""])
def test_no_entity(real: Ontology, word: str) -> None:
    assert real.resolve(word) in (None, "mass_effect")
