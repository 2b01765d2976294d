"""Groups of entities: who is a member, what the lint catches, and that they leave the content hash alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.lint import lint

Files = dict[str, Any]
Extra = Callable[[Files], Path]

MEMBERS = {
    ("mass", None), ("hepatic_mass", "liver"), ("hcc", "liver"), ("liver_metastasis", "liver"),
    ("mass@spleen", "spleen"),
    ("hepatic_lesion", "liver"), ("pancreatic_lesion", "pancreas"), ("ipmn", "pancreas"),
    ("serous_cystadenoma", "pancreas"),
    ("hepatic_hemangioma", "liver"), ("angiomyolipoma", "kidney"), ("lesion", None), ("uterine_fibroid", "uterus"),
    ("pulmonary_mass", "lung"), ("nodule@pancreas", "pancreas"),
}  # fmt: skip
OTHERS = {
    ("cyst", None), ("renal_cyst", "kidney"), ("polycystic_liver", "liver"), ("cyst@spleen", "spleen"),
    ("splenic_granuloma", "spleen"), ("pulmonary_nodule", "lung"), ("lesion@lung", "lung"), ("bone_island", "bone"),
    ("focal_hypodensity", "liver"), ("peliosis", "liver"), ("abscess", "liver"), ("pleural_effusion", "pleura"),
    ("other", None), ("no_such_entity", "liver"), ("cll", "body"),
}  # fmt: skip


@pytest.mark.parametrize(("entity", "organ"), sorted(MEMBERS, key=str))
def test_members(real: Ontology, entity: str, organ: str | None) -> None:
    assert real.in_group("tumor", entity, organ)


@pytest.mark.parametrize(("entity", "organ"), sorted(OTHERS, key=str))
def test_others(real: Ontology, entity: str, organ: str | None) -> None:
    assert not real.in_group("tumor", entity, organ)


def test_an_unknown_group_is_a_key_error(real: Ontology) -> None:
    with pytest.raises(KeyError):
        real.in_group("zzz", "mass", None)


def group(**changes: Any) -> Files:
    record = {
        "id": "lump", "label": "lump", "stands_for": "mass", "rules": [{"is_a": "mass"}],
        "match": [{"text": "A mass.", "facts": ["+mass"]}],
        "no_match": [{"text": "A cyst.", "facts": ["+cyst"]}],
    }  # fmt: skip
    return {"groups.yaml": {"groups": [{**record, **changes}]}}


def rule(id: str, **fields: Any) -> dict[str, Any]:
    return {"is_a": id, **fields}


def test_a_group_changes_its_own_hash_alone(real: Ontology, extra_folder: Extra) -> None:
    rules = [rule("pulmonary_nodule")]
    wider = load_ontology(extra=(extra_folder({"groups.yaml": {"groups": [{"id": "tumor", "rules": rules}]}}),))
    assert wider.content_hash == real.content_hash
    assert wider.groups["tumor"].content_hash != real.groups["tumor"].content_hash
    assert wider.in_group("tumor", "pulmonary_nodule", "lung")
    assert wider.in_group("tumor", "hepatic_mass", "liver")
    assert not wider.in_group("tumor", "renal_cyst", "kidney")


def test_the_last_rule_of_an_entity_that_holds_at_the_organ_decides(folder_with: Extra) -> None:
    rules = [rule("mass"), rule("mass", member=False), rule("mass", organs=["liver"])]
    ontology = load_ontology(folder_with(group(rules=rules)))
    assert ontology.in_group("lump", "mass", "liver")
    assert not ontology.in_group("lump", "mass", "spleen")


def test_the_nearest_ancestor_decides(folder_with: Extra) -> None:
    rules = [rule("mass"), rule("cyst"), rule("renal_cyst", member=False)]
    ontology = load_ontology(folder_with(group(rules=rules)))
    assert ontology.in_group("lump", "cyst", "kidney")
    assert not ontology.in_group("lump", "polar_cyst", "kidney")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rules": [rule("massx")]}, "unknown entity massx"),
        ({"rules": [rule("mass", organs=["livre"])]}, "unknown organ livre"),
        ({"stands_for": "cyst"}, "stands_for: cyst is no member"),
        ({"compared": {"size": ["sizes"]}}, "compared: unknown attribute kind sizes"),
        ({"rules": []}, "rules"),
        ({"match": []}, "match: no example"),
        ({"match": [{"text": "A cyst.", "facts": ["+cyst"]}]}, "there is no member in 'A cyst.'"),
        ({"no_match": [{"text": "A mass.", "facts": ["?mass"]}]}, "there is a member in 'A mass.'"),
        ({"no_match": ["A mass."]}, "no facts are stated in 'A mass.'"),
        ({"match": [{"text": "A mass.", "facts": ["mass"]}]}, "is no fact"),
        ({"colour": "red"}, "colour: unknown field"),
    ],
)
def test_the_lint_names_what_is_wrong(folder_with: Extra, changes: Files, said: str) -> None:
    problems = [str(problem) for problem in lint(folder_with(group(**changes)))]
    assert any(said in problem for problem in problems), problems


def test_a_sound_group_has_no_problem(folder_with: Extra, tiny_folder: Path) -> None:
    before = lint(tiny_folder)
    assert lint(folder_with(group())) == before
