"""The built site (`make docs`): whole, and asking nothing of anyone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import cabs
from notebooks.docs.made import browser

SITE = Path(__file__).resolve().parents[2] / "build" / "site"
PAGES = sorted(path for path in SITE.rglob("*.html") if path.name != "404.html")
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
"""Elements by which a page loads something, and the attribute that names it."""
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//", re.I)


class Page(HTMLParser):
    """What a page loads, where its links lead, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.text: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if (
            tag in LOADED
            and (place := found.get(LOADED[tag]))
            and found.get("rel") not in ("prev", "next", "canonical")
        ):
            self.loaded.append(place)
        if tag == "a" and (place := found.get("href")):
            self.links.append(place)
        self.anchors |= {name for name in (found.get("id"), found.get("name")) if name}
        self.text += [found["style"]] if found.get("style") else []


@pytest.fixture(scope="module")
def pages() -> dict[Path, Page]:
    assert len(PAGES) > 50, "make docs"
    return {path: Page(path) for path in PAGES}


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, Page]) -> None:
    asked = {(path.name, place) for path, page in pages.items() for place in page.loaded if ELSEWHERE.match(place)}
    assert asked == set()
    assert all(page.loaded for page in pages.values())


def styles() -> Iterator[tuple[str, str]]:
    for path in [*SITE.rglob("*.css"), *PAGES]:
        for found in re.finditer(r"(?:url\(|@import\s+)[\"']?([^\"')\s]+)", path.read_text(encoding="utf-8")):
            yield path.name, found[1]


def test_no_style_loads_anything_from_elsewhere() -> None:
    found = list(styles())
    assert [place for place in found if ELSEWHERE.match(place[1])] == []


def test_everything_that_is_loaded_is_there(pages: dict[Path, Page]) -> None:
    missing = {place for path, page in pages.items() for place in page.loaded if not target(path, place)[0].exists()}
    assert missing == set()


def target(path: Path, link: str) -> tuple[Path, str]:
    """The file that a link of a page leads to, and the anchor in it."""
    place, anchor = urldefrag(link)
    place = place.partition("?")[0]
    return ((path.parent / unquote(place)).resolve() if place else path), unquote(anchor)


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    lost = []
    for path, page in pages.items():
        for link in page.links:
            if ELSEWHERE.match(link) or link.startswith("mailto:"):
                continue
            file, anchor = target(path, link)
            known = pages.get(file)
            if known is None or (anchor and anchor not in known.anchors and anchor != "__skip"):
                lost.append((str(path.relative_to(SITE)), link))
    assert lost == []


def test_the_search_finds_every_name_of_the_ontology() -> None:
    entries = json.loads((SITE / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    found = {entry["location"].rpartition("#")[2] for entry in entries if entry["location"].startswith(browser.FOLDER)}
    ontology = cabs.load_ontology()
    assert set(ontology.entities) | set(ontology.structures) <= found


def test_readmes_are_whole_on_the_site() -> None:
    page = (SITE / "rewards.html").read_text(encoding="utf-8")
    assert "<h1" in page
    assert "<!-- include" not in "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert 'title="pairs.jsonl"' not in page, "the name of a file is the title of its block"


def test_no_page_shows_the_marks_of_markdown() -> None:
    """A table or a fence that was not understood stays in the text."""
    broken = [p.name for p in PAGES if re.search(r"<p>(?:\||```)", p.read_text(encoding="utf-8"))]
    assert broken == []
