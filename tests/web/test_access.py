"""Everyone can read it: axe finds nothing serious in light, dark and on a phone, a narrow page does not scroll
sideways, and paper has what matters."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.conftest import cabs

PHONE = {"viewport": {"width": 390, "height": 800}}
WAYS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"color_scheme": "light", **PHONE},
}
PAGES = (
    "index.html",
    "system-bold.html",
    "cases.html#id=chest-2&system=bold&fact=0",
    "cases.html#system=bold&q=nowhere",
)
SERIOUS = {"serious", "critical"}


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options={"preload": False}).response["violations"]  # it would ask for the styles again
    return [f"{v['id']}: {node['html'][:160]}" for v in found if v["impact"] in SERIOUS for node in v["nodes"]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PAGES)
def test_no_serious_violation(reader, site: Path, way: str, name: str) -> None:
    file, _, fragment = name.partition("#")
    page = reader(**WAYS[way]).open(site / file, f"#{fragment}" if fragment else "")
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    for box in page.locator("input[data-columns]").all():
        box.check()
    assert violations(page) == []


def test_nor_in_the_single_page_or_its_help(reader, work: Path) -> None:
    cabs(work, "explain", "pairs.jsonl", "--html", "access.html")
    page = reader().open(work / "access.html")
    page.keyboard.press("?")
    assert violations(page) == []


def test_axe_sees_what_is_wrong(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    page.evaluate("document.documentElement.removeAttribute('lang')")
    assert any(found.startswith("html-has-lang") for found in violations(page))


@pytest.mark.parametrize("name", ["index.html", "system-bold.html", "cases.html"])
def test_a_phone_need_not_scroll_sideways(reader, site: Path, name: str) -> None:
    page = reader(**PHONE).open(site / name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_paper_has_the_case_and_not_the_tools(reader, site: Path) -> None:
    page = reader().open(site / "cases.html", "#id=chest-1&system=bold")
    page.wait_for_selector("#case[data-shown]")
    page.emulate_media(media="print")
    assert not page.locator(".finder").is_visible()
    assert not page.locator(".top").is_visible()
    assert page.locator(".side").first.is_visible()
    assert page.locator(".facts").is_visible()
    assert len(page.pdf()) > 5000


def test_paper_is_light_whatever_the_screen_is(reader, site: Path) -> None:
    page = reader(color_scheme="dark").open(site / "index.html")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    page.locator("#theme").click()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    page.emulate_media(media="screen")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark != "rgb(255, 255, 255)"
