"""Headings, sections and sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cabs.ontology import load_ontology
from cabs.parsing.sections import SectionFinder
from cabs.parsing.sentences import sentences

FINDER = SectionFinder(load_ontology())


def roles(text: str) -> list[tuple[str, str]]:
    return [(s.role, text[s.start : s.end].strip()) for s in FINDER.stretches(text)]


def test_plain_text_is_findings() -> None:
    assert roles("Small effusion.") == [("findings", "Small effusion.")]


def test_headings_open_sections() -> None:
    text = "TECHNIQUE: axial images\nFINDINGS:\nSmall effusion.\nIMPRESSION\n1. Effusion."
    assert roles(text) == [
        ("ignored", "axial images"),
        ("findings", "Small effusion."),
        ("impression", "1. Effusion."),
    ]


def test_a_bracket_at_the_end_of_a_report_opens_no_heading_at_its_start() -> None:
    found = FINDER.stretches("Findings: clear.\nImpression: nodule [")
    assert [(s.role, s.start) for s in found] == [("findings", 10), ("impression", 29)]


def test_headings_glued_to_text() -> None:
    text = "HISTORY: pain.TECHNIQUE: axial. FINDINGS: Effusion. IMPRESSION: Effusion."
    assert [role for role, _ in roles(text)] == ["ignored", "ignored", "findings", "impression"]


def test_blank_line_ends_an_ignored_section_where_no_heading_does() -> None:
    text = "Clinical details: cough\n\nSmall effusion.\n\nConclusion: effusion"
    assert roles(text) == [
        ("ignored", "cough"),
        ("findings", "Small effusion."),
        ("impression", "effusion"),
    ]


def test_tags_are_headings() -> None:
    text = "<findings>Small effusion.</findings>\n<impression>Effusion.</impression>"
    found = roles(text)
    assert [role for role, _ in found] == ["findings", "impression"]
    assert found[0][1].startswith("Small effusion.")


def test_title_states_nothing() -> None:
    assert roles("CT CHEST WITHOUT CONTRAST\n\nSmall effusion.")[-1] == ("findings", "Small effusion.")


def split(text: str) -> list[tuple[str, str]]:
    found = sentences(text, 0, len(text), lambda words, behind: words.lower() in ("lungs", "pleura"))
    return [(text[s.start : s.end], s.heading) for s in found]


def test_sentences_keep_their_heading() -> None:
    assert split("Lungs: A nodule. Clear.\nPleura:\n no effusion\n1. Other") == [
        ("A nodule.", "Lungs"),
        ("Clear.", "Lungs"),
        ("no effusion", "Pleura"),
        ("Other", "Pleura"),
    ]


def test_what_ends_no_sentence() -> None:
    assert [s for s, _ in split("A 3.5 mm nodule vs. scar, approx. 5 mm away.")] == [
        "A 3.5 mm nodule vs. scar, approx. 5 mm away."
    ]


def test_wrapped_lines_are_one_sentence() -> None:
    text = "There is a large mass in the lower lobe of the left lung that\nreaches the pleura."
    assert [s for s, _ in split(text)] == [text]


@given(st.text(alphabet="ab .:\n;1-", max_size=80))
def test_sentences_are_in_order_and_apart(text: str) -> None:
    reached = 0
    for sentence in sentences(text, 0, len(text), lambda words, behind: True):
        assert reached <= sentence.start < sentence.end <= len(text)
        reached = sentence.end


def test_blanks_in_front_are_passed_over_once() -> None:
    """Whoever looks for a title from each of them is never done."""
    assert roles(f"{' ' * 200_000}Effusion.") == [("findings", "Effusion.")]


def test_a_title_is_one_short_line_about_an_examination() -> None:
    assert roles("\n  CT of the chest\n\nEffusion.") == [("ignored", "CT of the chest"), ("findings", "Effusion.")]
    for text in ("CT of the chest.\nEffusion.", "CT of the chest", f"CT {'x' * 160}\nEffusion.", "Effusion\nEffusion."):
        assert [role for role, _ in roles(text)] == ["findings"]


def test_emphasis_is_no_part_of_a_sentence() -> None:
    text = "**Small effusion.** **No nodule.** __Heart is enlarged.__"
    found = [text[s.start : s.end].strip("*_ ") for s in sentences(text, 0, len(text), lambda *_: False)]
    assert found == ["Small effusion.", "No nodule.", "Heart is enlarged."]
