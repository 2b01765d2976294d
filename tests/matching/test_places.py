"""Places of the real ontology: sides, mirror images, and what says no more than the fact."""

import pytest

from cabs.matching.places import Places
from cabs.ontology import load_ontology


@pytest.fixture(scope="module")
def places() -> Places:
    return Places(load_ontology())


@pytest.mark.parametrize(
    ("place", "mirrored"),
    [("rul", "lul"), ("lll", "rll"), ("lung_left", "lung_right"), ("node_station_4r", "node_station_4l")],
)
def test_mirror_images(places: Places, place: str, mirrored: str) -> None:
    assert places.mirror(place) == mirrored
    assert places.mirror(mirrored) == place


@pytest.mark.parametrize("place", ["rml", "left_upper_quadrant", "kidney", "liver", "no_such_place"])
def test_places_without_a_mirror_image(places: Places, place: str) -> None:
    assert places.mirror(place) == place


def test_a_mirror_image_is_on_the_other_side_and_mirrors_back(places: Places) -> None:
    for structure in load_ontology().structures.values():
        image = places.mirror(structure.id)
        if image != structure.id:
            assert places.mirror(image) == structure.id
            assert places.sides([image]) | places.sides([structure.id]) == {"right", "left"}


def test_normal_form(places: Places) -> None:
    right, left = frozenset(("right",)), frozenset(("left",))
    assert places.normal(("lung_upper_lobe",), right) == ("rul",)
    assert places.normal(("rul", "rul_apical"), right) == ("rul_apical",)
    assert places.normal(("rul", "lll"), left) == ("lll",)
    assert places.normal(("rul",), left) == ("rul",)
    assert places.normal(("lung_upper_lobe",), right | left) == ("lul", "rul")
    assert places.normal(("lung_upper_lobe",), frozenset()) == ("lung_upper_lobe",)


def test_what_says_no_more_than_the_fact(places: Places) -> None:
    assert places.told(("lung_right",), "pulmonary_nodule", "lung") == ()
    assert places.told(("thorax", "rul"), "pulmonary_nodule", "lung") == ("rul",)
    assert places.told(("kidney",), "renal_cyst", "kidney") == ()


@pytest.mark.parametrize(
    ("place", "organ", "own"),
    [
        ("mediastinum", "lymph_node", "mediastinal_lymph_node"),
        ("part_distal", "esophagus", "distal_esophagus"),
        ("lll", "airway", "lll_bronchus"),
        ("retrosternal_space", "thyroid", "retrosternal_space"),
        ("liver_seg_4", "liver", "liver_seg_4"),
        ("no_such_place", "liver", "no_such_place"),
    ],
)
def test_places_as_those_of_the_organ(places: Places, place: str, organ: str, own: str) -> None:
    assert places.in_organ((place,), organ) == (own,)
    assert places.in_organ((place,), None) == (place,)


def test_the_side_that_a_name_says(places: Places) -> None:
    assert places.named_side("lvh") == {"left"}
    assert places.named_side("cardiomegaly") == places.named_side("no_such_entity") == frozenset()
