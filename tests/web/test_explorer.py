"""The case explorer: marks, links between texts and facts, filters, search, keys, addresses."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import cabs, lines


def shown(page: Page, id: str, system: str) -> None:
    """Wait for a case."""
    at = page.evaluate("id => CABS.at('index').ids.indexOf(id)", id)
    k = page.evaluate("name => CABS.at('index').systems.findIndex((s) => s.name === name)", system)
    page.wait_for_selector(f"#case[data-shown='{k} {at}']")


def ids(page: Page) -> list[str]:
    return page.locator("#list .id").all_inner_texts()


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).fragment).items()}


def opened(reader, site: Path, **what: str) -> Page:
    said = "&".join(f"{name}={value}" for name, value in what.items())
    page = reader().open(site / "cases.html", f"#{said}")
    if "id" in what:
        shown(page, what["id"], what["system"])
    return page


@pytest.mark.parametrize(
    ("id", "system", "side", "mark", "words"),
    [
        ("chest-1", "careful", 0, "hit", "nodule"),
        ("chest-1", "bold", 1, "slots", "nodule"),
        ("chest-2", "careful", 0, "missed", "fracture"),
        ("chest-2", "bold", 1, "hallucinated", "Emphysema"),
        ("liver-2", "bold", 0, "contradicted", "ascites"),
    ],
)
def test_five_marks_differ_by_more_than_colour(reader, site: Path, id, system, side, mark, words) -> None:
    page = opened(reader, site, id=id, system=system)
    found = page.locator(".side").nth(side).locator(f"mark.{mark}", has_text=words)
    assert found.count() == 1
    sign = {"hit": "=", "slots": "~", "missed": "−", "hallucinated": "+", "contradicted": "!"}[mark]
    assert sign in found.locator(".badge").inner_text()
    lines_of = page.evaluate(
        "marks => marks.map((m) => getComputedStyle(document.querySelector(`.key .${m}`)).textDecorationStyle)",
        ["hit", "slots", "missed", "hallucinated", "contradicted"],
    )
    assert len(set(lines_of)) == 5
    assert f", {'wrong slot' if mark == 'slots' else mark}" in found.get_attribute("aria-label")


def test_a_mark_lights_its_fact_and_both_texts(reader, site: Path) -> None:
    page = opened(reader, site, id="chest-1", system="bold")
    page.locator(".side").nth(1).locator("mark", has_text="nodule").click()
    row = page.locator(".facts tr.chosen")
    assert "wrong side" in row.inner_text()
    lit = [side.locator(".lit").all_inner_texts() for side in page.locator(".side").all()]
    assert "right upper lobe" in "".join(lit[0])
    assert "left upper lobe" in "".join(lit[1])
    assert address(page)["fact"] == "0"
    page.keyboard.press("Escape")
    assert page.locator(".lit").count() == 0


def test_a_fact_lights_its_marks_and_a_denial_is_seen(reader, site: Path) -> None:
    page = opened(reader, site, id="liver-2", system="bold")
    row = page.locator(".facts tbody tr", has_text="ascites")
    row.focus()
    page.keyboard.press("Enter")
    assert page.locator(".side").nth(0).locator("mark.lit", has_text="ascites").count() == 1
    assert "ascites" in page.locator(".side").nth(1).locator(".denies.lit").inner_text()
    assert "denied by the prediction" in row.inner_text()


def test_filters_hold_for_one_fact_together(reader, site: Path) -> None:
    page = opened(reader, site, system="bold")
    page.locator("#error").select_option("mark:hallucinated")
    expect(page.locator("#list .id")).to_have_text(["chest-1", "chest-2", "liver-1"])
    page.locator("#error").select_option("error:hallucinated")
    expect(page.locator("#list .id")).to_have_text(["chest-1", "chest-2", "chest-3", "liver-1"])
    page.locator("#organ").select_option("spleen")
    assert ids(page) == ["liver-1"]
    page.locator("#organ").select_option("pleura")
    assert ids(page) == ["chest-1"]
    page.locator("#entity").select_option("pleural_effusion")
    assert page.locator("#nothing").is_visible()
    assert not page.locator("#list").is_visible()
    page.locator("#clear").click()
    assert len(ids(page)) == 5
    page.locator("#error").select_option("error:severity")
    assert ids(page) == ["chest-2"]


def test_most_errors_first(reader, site: Path) -> None:
    page = opened(reader, site, system="bold")
    page.locator("#sort").select_option("errors")
    assert address(page)["sort"] == "errors"
    wrong = [
        sum(int(sign[1:]) for sign in option.locator(".sign:not(.hit)").all_inner_texts())
        for option in page.locator("#list .option").all()
    ]
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[0] > wrong[-1]


def test_reports_that_say_nothing_can_be_found(reader, tmp_path: Path) -> None:
    reference = "Small left pleural effusion."
    rows = [
        {"id": "scored", "reference": reference, "prediction": reference},
        {"id": "missing", "reference": reference, "prediction": None},
        {"id": "unread", "reference": reference, "prediction": "Lorem ipsum."},
        {"id": "unscored", "reference": "Dolor sit.", "prediction": reference},
    ]
    lines(tmp_path / "pairs.jsonl", rows)
    cabs(tmp_path, "score", "pairs.jsonl", "-o", "results", "--allow-missing", "--draws", "0")
    cabs(tmp_path, "leaderboard", "results", "-o", "site")
    page = reader().open(tmp_path / "site" / "cases.html")
    for status in ("scored", "missing", "unread", "unscored"):
        page.locator("#error").select_option(f"status:{status}")
        assert ids(page) == [status]
        shown(page, status, "results")
    assert "Unscored: reference unread" in page.locator("#case").inner_text()
    page.locator("#error").select_option("status:missing")
    shown(page, "missing", "results")
    assert page.locator(".side").nth(1).locator(".none").inner_text() == "missing"
    board = reader().open(tmp_path / "site" / "system-results.html")
    assert (
        "3 of 4 scored; 1 predictions missing, 1 not understood, 1 reports left out" in board.locator("dl").inner_text()
    )


def test_search_finds_ids_findings_and_texts(reader, site: Path) -> None:
    page = opened(reader, site, system="bold")
    page.locator("#search").fill("liver-1")
    expect(page.locator("#list .id")).to_have_count(1)
    page.locator("#search").fill("old rib")
    expect(page.locator("#list .id")).to_have_text(["chest-2"])
    page.locator("#search").fill("pneumothorax")
    expect(page.locator("#list .id")).to_have_text(["chest-1", "chest-2"])
    assert address(page)["q"] == "pneumothorax"


def test_keys(reader, site: Path) -> None:
    page = opened(reader, site, id="chest-1", system="careful")
    page.keyboard.press("j")
    shown(page, "chest-2", "careful")
    page.keyboard.press("k")
    shown(page, "chest-1", "careful")
    page.locator("#list").focus()
    page.keyboard.press("End")
    shown(page, "liver-2", "careful")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    shown(page, "chest-2", "careful")
    page.keyboard.press("s")
    shown(page, "chest-2", "bold")
    page.keyboard.press("n")
    assert page.locator(".facts tr.chosen").get_attribute("id") == "fact-0"
    page.keyboard.press("n")
    assert page.locator(".facts tr.chosen").get_attribute("id") == "fact-1"
    page.keyboard.press("/")
    page.keyboard.type("jk")
    assert page.locator("#search").input_value() == "jk"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()


def test_an_address_shows_the_same_again(reader, site: Path) -> None:
    page = opened(reader, site, id="chest-2", system="bold", error="any", sort="errors", fact="1")
    fragment = f"#{urlsplit(page.url).fragment}"
    assert address(page) == {"id": "chest-2", "system": "bold", "error": "any", "sort": "errors", "fact": "1"}
    again = reader().open(site / "cases.html", fragment)
    shown(again, "chest-2", "bold")
    assert again.locator(".facts tr.chosen").inner_text() == page.locator(".facts tr.chosen").inner_text()
    assert ids(again) == ids(page)
    page.evaluate("location.hash = '#id=liver-1&system=careful'")
    shown(page, "liver-1", "careful")


def test_of_many_cases_only_those_in_sight_are_drawn(reader, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"n{n:04}",
            "reference": "Small left pleural effusion.",
            "prediction": f"Effusion on the {'left' if n % 2 else 'right'}.",
        }
        for n in range(1500)
    ]
    lines(tmp_path / "pairs.jsonl", rows)
    cabs(tmp_path, "score", "pairs.jsonl", "-o", "results", "--draws", "0")
    cabs(tmp_path, "leaderboard", "results", "-o", "site", "--surface", "none")
    found = reader()
    page = found.open(tmp_path / "site" / "cases.html")
    assert page.locator("#list .option").count() < 60
    assert page.locator("#count").inner_text() == "1500 of 1500 cases"
    assert len([url for url in found.requests if "case-data-cases" in url]) == 1, "a case needs its own piece alone"
    page.locator("#list").focus()
    page.keyboard.press("End")
    shown(page, "n1499", "results")
    assert page.locator("#list .option").count() < 60
    assert page.locator("#list [aria-selected=true]").get_attribute("aria-posinset") == "1500"


def test_one_page_holds_everything(reader, work: Path) -> None:
    cabs(work, "explain", "pairs.jsonl", "--html", "cases.html")
    found = reader()
    page = found.open(work / "cases.html", "#id=chest-1&system=bold")
    shown(page, "chest-1", "bold")
    assert page.locator("mark.slots", has_text="nodule").count() == 2
    assert [url for url in found.requests if url.startswith("file:")] == [page.url.partition("#")[0]]


def test_one_pair_alone(reader, work: Path) -> None:
    cabs(work, "explain", "pairs.jsonl", "--id", "liver-2", "--system", "bold", "--html", "one.html")
    page = reader().open(work / "one.html")
    assert ids(page) == ["liver-2"]
    assert page.locator(".systems").count() == 0
