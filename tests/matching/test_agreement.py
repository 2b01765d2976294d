"""Slot by slot: what agrees, what it is called where it doesn't, and what it costs."""

from dataclasses import replace

import pytest

from cabs.matching import AlignedPair, Settings
from cabs.values import Attribute, Fact
from tests.matching.build import fact, matcher, report


def pair(reference: Fact, prediction: Fact, settings: Settings | None = None) -> AlignedPair:
    (only,) = matcher(settings).align(report(reference), report(prediction)).hits
    return only


def named(reference: Fact, prediction: Fact, settings: Settings | None = None) -> list[tuple[str, str, bool]]:
    return [(d.name, d.detail, d.counts) for d in pair(reference, prediction, settings).disagreements]


def nodule(*at: str, side: str | None = None, **slots: object) -> Fact:
    return fact("pulmonary_nodule", side=side, at=at, **slots)  # type: ignore[arg-type]


LOCATIONS = [
    # reference places and side, prediction places and side, what it is called
    ((), None, (), None, []),
    (("rul",), None, ("rul",), "right", []),
    (("upper_lobe",), "right", ("rul",), None, []),
    (("lung_right",), None, ("rul",), None, ["unsupported_place"]),
    (("rul",), None, ("rul_apical",), None, []),
    (("lower_lobe",), None, ("rll",), None, ["unsupported_place"]),
    (("rll",), None, ("lower_lobe",), None, ["location_broader"]),
    (("rll",), None, ("upper_lobe",), None, ["location_broader", "wrong_site"]),
    (("rul_apical",), None, ("rul",), None, ["location_broader"]),
    (("rul",), None, ("lung_right",), None, ["location_broader"]),
    (("rul",), None, (), "right", ["location_broader"]),
    (("rul",), None, (), None, ["location_broader", "location_broader"]),
    ((), "right", (), None, ["location_broader"]),
    ((), None, (), "right", ["unsupported_place"]),
    ((), None, ("rul",), None, ["unsupported_place", "unsupported_place"]),
    ((), "right", (), "left", ["wrong_side"]),
    (("rul",), None, ("lul",), None, ["wrong_side"]),
    (("rul",), None, ("rll",), None, ["wrong_site"]),
    (("rul",), None, ("lll",), None, ["wrong_side", "wrong_site"]),
    (("rul", "rml"), None, ("rul",), None, ["location_broader"]),
    (("rul",), None, ("rul", "rml"), None, ["wrong_site"]),
    (("rul", "rml"), None, ("rul_apical", "rml"), None, []),
    (("lung",), None, (), None, []),
    (("thorax",), None, ("lung",), None, []),
]


@pytest.mark.parametrize(("places", "side", "predicted", "predicted_side", "names"), LOCATIONS)
def test_location(places, side, predicted, predicted_side, names) -> None:  # type: ignore[no-untyped-def]
    found = pair(nodule(*places, side=side), nodule(*predicted, side=predicted_side))
    assert [d.name for d in found.disagreements] == names
    assert found.location == (not set(names) - {"unsupported_place"})
    assert found.attributes
    assert found.certainty


def test_a_measured_bilateral_fact_needs_both_sides() -> None:
    reference, prediction = nodule(side="bilateral", mm=(8,)), nodule(side="right", mm=(8,))
    assert named(reference, reference) == []
    assert named(reference, prediction) == [("wrong_side", "side", True)]


def test_places_that_only_the_prediction_states_can_disagree() -> None:
    strict = Settings(location_extra="disagree")
    assert named(nodule(), nodule("rul"), strict) == [
        ("unsupported_place", "side", True),
        ("unsupported_place", "place", True),
    ]
    assert not pair(nodule(), nodule("rul"), strict).location


SIZES = [
    ((8,), (10,), True),
    ((8,), (10.1,), False),
    ((3,), (1,), True),
    ((50,), (60,), True),
    ((60,), (50,), True),
    ((50,), (61,), False),
    ((20, 10), (20, 14), True),
    ((20, 10), (20, 15), False),
    ((20, 10), (21,), True),
    ((20,), (21, 3), True),
]


@pytest.mark.parametrize(("reference", "prediction", "agree"), SIZES)
def test_sizes_agree_within_2_mm_or_a_fifth_of_the_largest_axis(reference, prediction, agree) -> None:  # type: ignore[no-untyped-def]
    assert pair(nodule(mm=reference), nodule(mm=prediction)).attributes == agree


ATTRIBUTES = [
    ({"severity": "mild"}, {"severity": "mild"}, []),
    ({"severity": "mild"}, {"severity": "small"}, []),
    ({"severity": "moderate"}, {"severity": "small"}, []),
    ({"severity": "mild"}, {"severity": "severe"}, [("severity", "severity", True)]),
    ({"severity": "mild"}, {}, [("omitted_attribute", "severity", True)]),
    ({}, {"severity": "mild"}, [("unsupported_attribute", "severity", False)]),
    ({}, {"change": "new"}, [("unsupported_attribute", "change", True)]),
    ({}, {"mm": (8,)}, [("unsupported_attribute", "size", True)]),
    ({"mm": (8,)}, {"mm": (20,)}, [("wrong_size", "size", True)]),
    ({"mm": (8,)}, {}, [("omitted_attribute", "size", True)]),
    ({"change": "new"}, {"change": "unchanged"}, [("change", "change", True)]),
    ({"density": "solid"}, {"density": "calcified"}, [("other_attribute", "density", True)]),
    ({"density": "cystic"}, {"density": "hypodense"}, []),
    ({"margin": "smooth"}, {"margin": "lobulated"}, []),
    ({"margin": "smooth"}, {"margin": "spiculated"}, [("other_attribute", "margin", True)]),
    ({"margin": ("smooth", "lobulated")}, {"margin": "spiculated"}, [("other_attribute", "margin", True)]),
    ({"severity": "mild"}, {"severity": ("mild", "severe")}, [("severity", "severity", True)]),
    ({"other": "one thing"}, {"other": "another"}, []),
    ({"other": "one thing"}, {}, [("omitted_attribute", "other", True)]),
    ({"other": ("grade 2", "grade 4")}, {"other": ("grade 2", "grade 4")}, []),
]


@pytest.mark.parametrize(("reference", "prediction", "names"), ATTRIBUTES)
def test_attributes(reference, prediction, names) -> None:  # type: ignore[no-untyped-def]
    found = pair(nodule(**reference), nodule(**prediction))
    assert [(d.name, d.detail, d.counts) for d in found.disagreements] == names
    assert found.attributes == (not any(counts for *_, counts in names))
    assert found.location


@pytest.mark.parametrize(("extra", "counts"), [("clinical", False), ("ignore", False), ("all", True)])
def test_attributes_that_only_the_prediction_states(extra, counts) -> None:  # type: ignore[no-untyped-def]
    chosen = Settings(attributes_extra=extra)
    assert named(nodule(), nodule(severity="mild"), chosen) == [("unsupported_attribute", "severity", counts)]
    clinical = named(nodule(), nodule(change="new"), chosen)
    assert clinical == [("unsupported_attribute", "change", extra != "ignore")]


def test_words_without_a_listed_value_conflict_only_by_their_numbers() -> None:
    def graded(text: str) -> Fact:
        return replace(nodule(), attributes=(Attribute("severity", text),))

    assert pair(graded("grade 2"), graded("of grade 2")).attributes
    assert pair(graded("grade 2"), nodule(severity="mild")).attributes
    assert not pair(graded("grade 2"), graded("grade 3")).attributes


def test_certainty() -> None:
    sure, unsure = nodule(), nodule(certainty="possible")
    assert named(unsure, sure) == [("certainty_overstated", "certainty", True)]
    assert named(sure, unsure) == [("certainty_understated", "certainty", True)]
    assert pair(sure, unsure).consistent
    assert not pair(sure, unsure).certainty


def test_words_and_costs_are_kept() -> None:
    (found,) = pair(nodule(severity="mild"), nodule(severity="severe")).disagreements
    assert (found.slot, found.reference, found.prediction, found.cost) == ("attributes", "mild", "severe", 0.3)
    (omitted,) = pair(nodule(severity="mild"), nodule()).disagreements
    assert (omitted.reference, omitted.prediction, omitted.cost) == ("mild", "", 0.15)
    (ignored,) = pair(nodule(), nodule(severity="mild")).disagreements
    assert ignored.cost == 0
