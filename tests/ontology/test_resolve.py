from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.resolve import LONGEST, NameIndex
from tests.ontology.conftest import Files


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("renal cyst", "renal_cyst"),
        ("Renal cysts", "renal_cyst"),
        ("cyst, renal", "renal_cyst"),
        ("edema", "oedema"),
        ("Virchow nodes", "adenopathy"),
        ("drainages of fluid", "drain"),
        # attribute and side words at the ends
        ("very small renal cyst", "renal_cyst"),
        ("right-sided large pleural effusion", "pleural_effusion"),
        ("cyst small", "cyst"),
        # composition
        ("cyst of the left kidney", None),
        ("cyst of the right kidney", "renal_cyst"),
        ("simple kidney cyst", "renal_cyst"),
        ("renal simple cyst", "renal_cyst"),
        ("hepatic cystic lesions", "cyst@liver"),
        ("cyst in the dome of the liver", "cyst@liver"),
        ("splenic mass", "mass@spleen"),
        ("renal pole cyst", "polar_cyst"),
        ("abdominal mass", "mass"),
        # predicates state a finding of a place
        ("enlarged liver", "hepatomegaly"),
        ("enlarged lymph node", "adenopathy"),
        ("enlarged spleen", "enlargement@spleen"),
        ("enlarged", None),
        # an entity with organs of its own, at a place
        ("axillary adenopathy", "adenopathy"),
        ("hepatic adenopathy", None),
        ("axillary renal cyst", None),
        ("basal renal cyst", "renal_cyst"),
        ("basal cyst", "cyst"),
        ("abdominal renal cyst", "renal_cyst"),
        # nothing may be left over
        ("mass effect", None),
        ("renal mass effect", None),
        ("no renal cyst", None),
        ("cyst mass", None),
        ("kidney", None),
        ("small", None),
        ("renl cyst", None),
        ("", None),
        ("of the", None),
        # a root is no entity of a report; ids are no names
        ("imaging finding", None),
        # a shared abbreviation: the reading that needs no other word
        ("PE", "embolism"),
    ],
)
def test_resolve(tiny: Ontology, name: str, entity: str | None) -> None:
    assert tiny.resolve(name) == entity


def test_a_text_is_no_name(tiny: Ontology) -> None:
    assert tiny.resolve("small " * (LONGEST - 2) + "renal cyst") == "renal_cyst"
    assert tiny.resolve("small " * (LONGEST - 1) + "renal cyst") is None


def test_no_name_of_the_ontology_is_near_the_bound(real: Ontology) -> None:
    assert 4 * NameIndex(real).longest <= LONGEST


def test_a_blocked_phrase_is_no_head(folder_with: Callable[[Files], Path]) -> None:
    files: Files = {
        "anatomy/x.yaml": {"structures": [{"id": "muscle", "label": "muscle", "parent": "body"}]},
        "entities/x.yaml": {
            "entities": [{"id": "lump", "label": "lump", "parent": "lesion", "blocked": ["muscle lump"]}]
        },
    }
    ontology = load_ontology(folder_with(files))
    assert ontology.resolve("hepatic lump") == "lump@liver"
    assert ontology.resolve("muscle lump") is None


def test_ambiguous_forms_give_the_first_listed_id(folder_with: Callable[[Files], Path]) -> None:
    files: Files = {
        "ambiguous.yaml": {"ambiguous": [{"form": "spot", "ids": ["mass", "cyst"]}]},
        "entities/x.yaml": {"entities": [{"id": "acne", "label": "acne", "parent": "lesion", "forms": ["spot"]}]},
    }
    ontology = load_ontology(folder_with(files))
    assert ontology.resolve("spots") == "mass"
    assert ontology.resolve("spot of kidney") == "renal_cyst", "the place decides where one of them is listed there"


def test_an_ambiguous_place_word_is_read_as_the_finding_needs_it(
    folder_with: Callable[[Files], Path],
) -> None:
    places = [
        {"id": "tail", "label": "tail", "parent": "spleen"},
        {"id": "tail_of_kidney", "label": "other tail", "parent": "kidney", "adjectives": ["tail"]},
    ]
    ontology = load_ontology(folder_with({"anatomy/x.yaml": {"structures": places}}))
    assert ontology.resolve("tail cyst") == "renal_cyst"
    assert ontology.resolve("tail mass") == "mass@spleen"
