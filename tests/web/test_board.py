"""The board's page and the pages of systems."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.conftest import ready


def column(page: Page, table: str, number: int) -> list[str]:
    cells = page.locator(f"#{table} tbody tr:not([hidden]) > :nth-child({number})")
    return [text.split("\n")[0].strip() for text in cells.all_inner_texts()]


def test_the_best_system_stands_first_and_tables_sort(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    assert column(page, "systems", 3) == ["careful", "bold", "silent"]
    assert column(page, "systems", 1)[0] == "1"
    head = page.locator("#systems thead th", has_text="system")
    for order, names in (("descending", ["silent", "careful", "bold"]), ("ascending", ["bold", "careful", "silent"])):
        head.locator("button").click()
        if head.get_attribute("aria-sort") != order:
            head.locator("button").click()
        assert head.get_attribute("aria-sort") == order
        assert column(page, "systems", 3) == names
    assert page.locator("#systems th[aria-sort]").count() == 1


def test_numbers_sort_as_numbers_and_what_is_undefined_last(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    head = page.locator("#systems thead th", has_text="Precision")
    for _ in range(2):
        head.locator("button").click()
        at = head.evaluate("th => th.cellIndex")
        values = page.locator(f"#systems tbody tr > :nth-child({at + 1})").evaluate_all(
            "tds => tds.map(td => td.dataset.v)"
        )
        known = [float(value) for value in values if value]
        assert known == sorted(known, reverse=head.get_attribute("aria-sort") == "descending")
        assert values[-1] == ""
        assert all(values[: len(known)])


def test_the_table_filters_and_groups_of_columns_come_and_go(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    page.locator("input[data-filter=systems]").fill("bol")
    assert column(page, "systems", 3) == ["bold"]
    assert page.locator("#systems-count").inner_text() == "1 of 3 rows"
    page.locator("input[data-filter=systems]").fill("")
    assert len(column(page, "systems", 3)) == 3
    organs = page.locator("#systems thead th.of-organs")
    assert organs.count() > 2
    assert not organs.first.is_visible()
    page.get_by_label("Organ coverage").check()
    assert organs.first.is_visible()
    page.get_by_label("Entity core").uncheck()
    assert not page.locator("#systems thead th.of-core").first.is_visible()


def test_charts_are_drawn_and_follow_metric_and_theme(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    for name in ("bars", "heat", "spread"):
        assert page.locator(f"#{name} svg path").count() > 3, name
        assert "careful" in (page.locator(f"#{name} svg").text_content() or "")
    before = page.locator("#bars svg").inner_html()
    page.locator("#bars-of").select_option("recall")
    assert page.locator("#bars svg").inner_html() != before
    before = page.locator("#heat svg").inner_html()
    page.locator("#theme").click()
    assert page.locator("#heat svg").inner_html() != before
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    ready(page)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_every_link_leads_somewhere(reader, site: Path) -> None:
    found = reader()
    for file in sorted(site.glob("*.html")):
        page = found.open(file)
        for href in page.locator("a[href]").evaluate_all("links => links.map(link => link.getAttribute('href'))"):
            name, _, _ = href.partition("#")
            assert name == "" or (site / name).is_file(), f"{file.name}: {href}"


def test_a_systems_page_leads_to_its_errors(reader, site: Path) -> None:
    page = reader().open(site / "system-bold.html")
    assert page.locator("h1").inner_text() == "bold"
    page.locator("#findings tbody tr", has_text="ascites").locator("a").click()
    ready(page)
    assert page.locator("#system option:checked").inner_text() == "bold"
    assert page.locator("#entity option:checked").inner_text() == "ascites"
    assert page.locator("#case h1").inner_text() == "liver-2"


def test_errors_of_the_board_lead_to_cases(reader, site: Path) -> None:
    page = reader().open(site / "index.html")
    row = page.locator("#errors tbody tr", has_text="hallucinated")
    cells = row.locator("td")
    at = column(page, "systems", 3).index("bold")
    assert float(cells.nth(at).inner_text()) >= 60
    cells.nth(at).locator("a").click()
    ready(page)
    expect(page.locator("#count")).to_have_text("4 of 5 cases")
    assert page.locator("#error").input_value() == "error:hallucinated"
