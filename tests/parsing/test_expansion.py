"""Abbreviations written out, and every position found again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cabs.parsing.expansion import Abbreviation, Expansion
from cabs.values import Span

TEXT = "Solitary fibrous tumor (SFT) on the right. The SFT is 4 cm."
LONG = "solitary fibrous tumor"
USES = [Abbreviation(24, 27, LONG), Abbreviation(47, 50, LONG)]


def test_short_forms_are_written_out_and_definitions_dropped() -> None:
    expansion = Expansion(TEXT, USES)
    assert expansion.text == "Solitary fibrous tumor   on the right. The solitary fibrous tumor is 4 cm."


def test_a_position_inside_a_long_form_is_the_short_form() -> None:
    expansion = Expansion(TEXT, USES)
    at = expansion.text.index(LONG)
    for words in (LONG, "fibrous", "tumor"):
        start = expansion.text.index(words, at)
        assert expansion.original(Span(start, start + len(words))) == Span(47, 50)


def test_words_outside_keep_their_place() -> None:
    expansion = Expansion(TEXT, USES)
    for words in ("Solitary fibrous tumor", "on the right.", "The", "is 4 cm."):
        start = expansion.text.index(words)
        span = expansion.original(Span(start, start + len(words)))
        assert TEXT[span.start : span.end] == words


def test_without_abbreviations_nothing_moves() -> None:
    expansion = Expansion(TEXT, [])
    assert expansion.text == TEXT
    assert expansion.original(Span(3, 9)) == Span(3, 9)


TEXTS = st.text("ab (", max_size=30)
USED = st.lists(st.tuples(st.integers(0, 29), st.integers(1, 4), st.text("xy", max_size=6)))


@given(TEXTS, USED)
def test_positions_stay_in_order_and_inside(text: str, uses: list[tuple[int, int, str]]) -> None:
    inside = [Abbreviation(s, min(s + n, len(text)), long) for s, n, long in uses if s < len(text)]
    expansion = Expansion(text, inside)
    size = len(expansion.text)
    ends = [expansion.original(Span(0, position)).end for position in range(size + 1)]
    starts = [expansion.original(Span(position, size)).start for position in range(size + 1)]
    assert ends == sorted(ends)
    assert starts == sorted(starts)
    assert all(0 <= p <= len(text) for p in [*starts, *ends])
