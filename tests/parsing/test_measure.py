"""Lengths in millimetres."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.parsing.measure import lengths


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 5 mm nodule", [(5.0,)]),
        ("3.2 x 2.7 cm", [(32.0, 27.0)]),
        ("1.3 cm x 1.1 cm", [(13.0, 11.0)]),
        ("3.5 x 3.2 x 2.8 cm", [(35.0, 32.0, 28.0)]),
        ("20 x 8 x 6 mm", [(20.0, 8.0, 6.0)]),
        ("5mm", [(5.0,)]),
        ("14-mm", [(14.0,)]),
        ("1,5 cm", [(15.0,)]),
        ("4-6 mm", [(6.0,)]),
        ("5 and 7 mm", [(5.0,), (7.0,)]),
        ("between 4 and 6 mm", [(6.0,)]),
        ("series 3 image 45, 6 mm", [(6.0,)]),
        ("33 mm/s", []),
        ("3 months", []),
        ("T4 N1", []),
        ("", []),
    ],
)
def test_lengths(text: str, expected: list[tuple[float, ...]]) -> None:
    assert [length.mm for length in lengths(text)] == expected


@given(st.integers(1, 300), st.sampled_from(["mm", "cm"]))
def test_every_whole_length_is_read(number: int, unit: str) -> None:
    (length,) = lengths(f"about {number} {unit} wide")
    assert length.mm == (number * (10.0 if unit == "cm" else 1.0),)


@given(st.text(max_size=200))
def test_spans_lie_in_the_text(text: str) -> None:
    for length in lengths(text):
        assert 0 <= length.start < length.end <= len(text)
        assert length.mm == tuple(sorted(length.mm, reverse=True))
