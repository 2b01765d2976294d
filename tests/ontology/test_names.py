from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.ontology import Ontology, load_ontology
from cabs.ontology.names import Names, joined

ANY = st.text(max_size=40)
NOUNS = """
nodule mass opacity stenosis metastasis calculus hemorrhage edema tumor fiber disease vertebra subpleural base
centrilobular airway branch apex thickening abscess hernia catheterization localized valve artifact
"""
WORDS = st.sampled_from(NOUNS.split())


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(load_ontology().spelling)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("renal cyst", "Renal Cysts"),
        ("cyst of the kidney", "kidney cyst"),
        ("ground-glass opacities", "ground glass opacity"),
        ("groundglass opacity", "ground glass opacity"),
        ("haemorrhage", "hemorrhage"),
        ("oesophageal tumour", "esophageal tumor"),
        ("Crohn's disease", "Crohn disease"),
        ("catheterisation", "catheterization"),
        ("bile duct dilatation", "bile duct dilation"),
        ("lumen, narrowed", "narrowed lumens"),
        ("fibre", "fiber"),
        ("calculi", "calculus"),
        ("nonspecific", "non-specific"),
    ],
)
def test_same_name(names: Names, one: str, other: str) -> None:
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hypodense", "hyperdense"),
        ("intrahepatic", "extrahepatic"),
        ("ureteral", "urethral"),
        ("cyst", "cystitis"),
        ("mass", "mast"),
        ("no mass", "mass"),
    ],
)
def test_other_name(names: Names, one: str, other: str) -> None:
    assert names.key(one) != names.key(other)


@given(ANY)
def test_normalising_again_changes_nothing(names: Names, text: str) -> None:
    words = names.words(text)
    assert names.words(" ".join(words)) == words
    assert names.key(names.key(text)) == names.key(text)


@given(st.text(st.characters(codec="ascii"), max_size=40))
def test_case_does_not_count(names: Names, text: str) -> None:
    assert names.key(text) == names.key(text.upper()) == names.key(text.lower())


@given(st.lists(WORDS, max_size=5), st.randoms())
def test_order_case_and_number_do_not_count(names: Names, words: list[str], random: object) -> None:
    spelling = load_ontology().spelling
    written = [next(iter(reversed(spelling.plurals(word)))).title() for word in words]
    assert names.key("-".join(reversed(written))) == joined(names.words(" ".join(words)))


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_every_surface_form_is_the_same_name(names: Names, words: list[str]) -> None:
    spelling = load_ontology().spelling
    phrase = " ".join(words)
    assert {names.key(form) for form in spelling.variants([phrase], noun=True)} == {names.key(phrase)}


def test_nothing_is_no_name(names: Names) -> None:
    assert names.words("") == names.words(" -- of the ") == ()


def test_every_real_surface_form_is_the_name_of_its_record(names: Names, real: Ontology) -> None:
    for record in (*real.entities.values(), *real.structures.values()):
        listed = {names.key(name) for name in (record.label, *record.forms)}
        assert {names.key(form) for form in real.variants((record.label, *record.forms), noun=True)} == listed
