"""What users wrote does no harm, and a site without text has none."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import cabs, lines
from tests.web.texts import EVIL, HOSTILE, PAIRS

DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

INTRUDER = """() => {
    const script = document.createElement("script");
    script.textContent = "window.HARMED = 7";
    document.body.append(script);
    const image = document.createElement("img");
    image.src = "https://example.org/a.png";
    document.body.append(image);
    image.remove();
}"""
"""What an intruder would try: a script in the page, and a request to the outside."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    lines(folder / "pairs.jsonl", HOSTILE)
    cabs(folder, "score", "pairs.jsonl", "-o", "results", "--draws", "200")
    cabs(folder, "leaderboard", "results", "-o", "site", "--title", EVIL[1])
    cabs(folder, "explain", "pairs.jsonl", "--html", "one.html")
    return folder


def harmless(page: Page) -> None:
    """No script of a user has run, none of its elements is there, and nothing reorders the page."""
    assert page.evaluate("window.HARMED") is None
    assert page.locator("img, iframe, object, [onload], [onerror], [ontoggle]").count() == 0
    words = page.evaluate("document.documentElement.textContent + document.title")
    assert not set(DIRECTIONS) & set(words)


def test_pages_of_hostile_names_and_texts(reader, hostile: Path) -> None:
    found = reader()
    for file in [*sorted((hostile / "site").glob("*.html")), hostile / "one.html"]:
        harmless(found.open(file))
    page = found.open(hostile / "site" / "index.html")
    names = page.locator("#systems tbody th").all_inner_texts()
    assert EVIL[0] in names
    assert EVIL[1].replace("\u202e", "[U+202E]") in names
    assert page.locator("#bars svg image, #bars foreignObject").count() == 0
    page.mouse.move(*centre(page, "#bars"))
    page.mouse.move(*centre(page, "#heat"))
    harmless(page)


def centre(page: Page, selector: str) -> tuple[float, float]:
    page.locator(selector).scroll_into_view_if_needed()
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_marks_stand_at_their_words_behind_wide_characters(reader, hostile: Path) -> None:
    page = reader().open(hostile / "site" / "cases.html")
    for side, words in ((0, ["pleural effusion", "nodule"]), (1, ["pleural effusion", "Cardiomegaly"])):
        marks = (
            page.locator(".side")
            .nth(side)
            .locator("mark")
            .evaluate_all("marks => marks.map((mark) => mark.lastChild.textContent)")
        )
        assert marks == words
    assert "</script><script>" in page.locator(".side .text").first.inner_text()
    assert "[U+202E]" in page.locator(".side .text").first.inner_text()


def test_search_and_filters_of_hostile_names(reader, hostile: Path) -> None:
    page = reader().open(hostile / "site" / "cases.html")
    page.locator("#search").fill("<img src=x onerror")
    expect(page.locator("#count")).to_have_text("4 of 4 cases")
    page.locator("#system").select_option(index=1)
    page.wait_for_selector("#case[data-shown^='1 ']")
    harmless(page)


def test_the_policy_of_a_page_lets_nothing_else_run(reader, hostile: Path) -> None:
    found = reader()
    for file in (hostile / "site" / "index.html", hostile / "one.html"):
        page = found.open(file)
        policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        with page.expect_event("requestfailed") as failed:
            page.evaluate(INTRUDER)
        assert (failed.value.url, failed.value.failure) == ("https://example.org/a.png", "csp")
        assert page.evaluate("window.HARMED") is None
        assert any("script" in said and "Content Security Policy" in said for said in found.complaints)
        found.complaints.clear()
        found.requests.clear()


def test_a_site_without_text_has_none(reader, work: Path) -> None:
    cabs(work, "leaderboard", "results", "-o", "bare", "--no-text")
    quoted = [pair[side] for pair in PAIRS for side in ("reference", "prediction")]
    phrases = {sentence.strip() for text in quoted for sentence in text.split(".") if len(sentence.split()) > 2}
    assert len(phrases) > 15
    for file in (work / "bare").iterdir():
        content = file.read_text(encoding="utf-8")
        assert [phrase for phrase in phrases if phrase in content] == [], file.name
    page = reader().open(work / "bare" / "cases.html", "#id=chest-1&system=bold")
    page.wait_for_selector("#case[data-shown]")
    assert page.locator(".side p.none").all_inner_texts() == ["no text on this site"] * 2
    assert "wrong side" in page.locator(".facts").inner_text()
    assert page.locator("mark").count() == 0


def test_texts_of_an_earlier_site_go_with_it(work: Path) -> None:
    cabs(work, "leaderboard", "results", "-o", "again")
    (work / "again" / "mine.txt").write_text("kept")
    cabs(work, "score", "pairs.jsonl", "-o", "blind", "--no-text")
    cabs(work, "leaderboard", "blind", "-o", "again", "--no-text")
    left = "".join(f.read_text(encoding="utf-8") for f in (work / "again").glob("*"))
    assert "Old rib fracture on the left" not in left
    assert (work / "again" / "mine.txt").read_text() == "kept"
