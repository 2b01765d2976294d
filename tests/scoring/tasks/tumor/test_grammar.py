"""The output grammar of E-MRL: tolerant of what stands around, strict about slices and boxes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.scoring.tasks.tumor import distance, near, output
from cabs.scoring.tasks.tumor.slices import slice_of


@pytest.mark.parametrize(
    ("text", "sections", "tagged"),
    [
        ("<findings>a</findings><impression>b</impression>", ("a", "b"), True),
        ("x <Findings > a </FINDINGS> y\n< impression>b</ impression > z", ("a", "b"), True),
        ("<impression>b</impression><findings>a</findings>", ("a", "b"), True),
        ("<findings>a</findings><findings>c</findings>", ("a", ""), True),
        ("<findings>a", ("", ""), True),
        ("</findings>a", ("", ""), True),
        ("plain", ("plain",), False),
        ("", ("",), False),
    ],
)
def test_sections(text: str, sections: tuple[str, ...], tagged: bool) -> None:
    said = output(text)
    assert (tuple(said.sections.values()), said.tagged) == (sections, tagged)


@pytest.mark.parametrize(
    ("text", "index", "reason"),
    [
        ("<key_slice>34</key_slice>", 34, ""),
        ("<Key_Slice> 34\n</key_slice>", 34, ""),
        ("<key_slice>+0</key_slice>", 0, ""),
        ("no slice", None, ""),
        ("<key_slice></key_slice>", None, "it is empty"),
        ("<key_slice>-1</key_slice>", None, "-1 lies before slice 0"),
        ("<key_slice>3.5</key_slice>", None, "'3.5' is no whole number"),
        ("<key_slice>3.0</key_slice>", None, "'3.0' is no whole number"),
        ("<key_slice>k</key_slice>", None, "'k' is no whole number"),
        ("<key_slice>\u0663</key_slice>", None, "'\u0663' is no whole number"),
        ("<key_slice>1e3</key_slice>", None, "'1e3' is no whole number"),
        ("<key_slice>3</key_slice> <key_slice>3</key_slice>", None, "there are 2 of them"),
        ("<key_slice>3", None, "its tag is not closed"),
        ("<key_slice>3<b></key_slice>", None, "its tag is not closed"),
        (f"<key_slice>{'9' * 10}</key_slice>", None, f"'{'9' * 10}' is no whole number"),
    ],
)
def test_key_slices(text: str, index: int | None, reason: str) -> None:
    found = output(text).key_slice
    assert (found.index, found.reason) == (index, reason)


def test_the_first_slice_is_an_option() -> None:
    assert output("<key_slice>0</key_slice>", 1).key_slice.reason == "0 lies before slice 1"


@pytest.mark.parametrize(
    ("inside", "corners"),
    [
        ("[1, 2, 3, 4]", (1, 2, 3, 4)),
        ("1,2,3.5,4", (1, 2, 3.5, 4)),
        ("[3, 2, 1, 4]", None),
        ("[1, 2, 3]", None),
        ("[1, 2, 3, x]", None),
        ("[-1, 2, 3, 4]", None),
        ("[1, 2, 3, inf]", None),
        ("", None),
    ],
)
def test_boxes(inside: str, corners: tuple[float, ...] | None) -> None:
    found = output(f"<bbox>{inside}</bbox>").bbox
    assert found.corners == corners
    assert (corners is None) == bool(found.reason)


def test_what_points_is_taken_out_and_its_place_kept() -> None:
    said = output("In image <key_slice>34</key_slice>, <bbox>[1, 2, 3, 4]</bbox> . A mass.")
    text = said.sections["findings"]
    assert text.split() == ["In", "image", ",", ".", "A", "mass."]
    assert [text[: span.start].split()[-1] for span in said.asides["findings"]] == ["image", ","]


def test_an_open_tag_takes_nothing_with_it() -> None:
    assert output("<key_slice>34 A mass.").sections["findings"].split() == ["34", "A", "mass."]


def test_floods_of_blanks_are_squeezed() -> None:
    assert output("A" + " " * 9999 + "mass." + "\n" * 9999 + "B").sections["findings"] == "A mass.\n\nB"
    assert len(output("<key_slice> 1 </key_slice> " * 999 + "x").sections["findings"]) < 9


@given(st.text(alphabet="<>/_ksfindgbox12,[] ", max_size=60))
def test_no_text_raises(text: str) -> None:
    output(text)


@pytest.mark.parametrize(("apart", "expected"), [(0, 0.0), (1, 0.5), (2, 0.8), (3, 1.0), (400, 1.0)])
def test_distances(apart: int, expected: float) -> None:
    assert distance(500 + apart, 500) == distance(500, 500 + apart) == pytest.approx(expected, abs=1e-12)
    assert near(500 + apart, 500) == near(500, 500 + apart) == (apart <= 1)


@given(st.integers(0, 50), st.integers(0, 50))
def test_the_distance_is_that_of_sets(a: int, b: int) -> None:
    ours, theirs = set(range(a - 1, a + 2)), set(range(b - 1, b + 2))
    assert distance(a, b) == pytest.approx(1 - len(ours & theirs) / len(ours | theirs), abs=1e-12)


@pytest.mark.parametrize(
    ("value", "index"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        (None, None),
        ("", None),
        (float("nan"), None),
        (True, None),
        (3.5, None),
        ([3], None),
        (1e300, None),
        (float("inf"), None),
    ],
)
def test_slices_of_columns(value: object, index: int | None) -> None:
    assert slice_of(value).index == index
