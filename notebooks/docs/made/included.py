"""READMEs and their sections as pages: taken in where they are, never copied.

A page says `<!-- include: FILE -->` for a whole Markdown file of the checkout, `<!-- include: FILE#Heading -->` for one
section of it. Links of the text lead to the page of the site that holds what they name; what the site does not hold is
named by its path.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[3]

DIRECTIVE = re.compile(r"^<!-- include: (?P<file>[\w./-]+?)(?:#(?P<section>.+))? -->$", re.M)
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^(?P<marks>#+) (?P<title>.+)$")
FENCE = re.compile(r"^(?P<open>`{3,})(?P<rest>.*)$")
PICTURES = ".png", ".svg"


@dataclass(frozen=True, slots=True)
class Include:
    """A Markdown file of the checkout, or the section of it that a heading begins ("" for all of it)."""

    file: str
    section: str = ""


def includes(page: str) -> list[Include]:
    """What a page takes in, in the order of the page."""
    return [Include(found["file"], found["section"] or "") for found in DIRECTIVE.finditer(page)]


def slug(title: str) -> str:
    """The anchor of a heading, as Python-Markdown makes it.

    >>> slug("Metrics, against `people`")
    'metrics-against-people'
    """
    plain = unicodedata.normalize("NFKD", title.replace("`", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[-\\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()).replace(" ", "-")


def outside_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Every line with whether it is prose: neither code nor the fence around code."""
    fence = ""
    for line in text.splitlines():
        found = FENCE.match(line)
        if found and not fence:
            fence = found["open"]
            yield line, False
        elif found and line.strip() == fence:
            fence = ""
            yield line, False
        else:
            yield line, not fence


def section_of(text: str, title: str) -> str:
    """The lines below a heading up to the next one of its level, the headings in it one level higher.

    Raises:
        KeyError: there is no such heading.
    """
    level, lines = 0, []
    for line, prose in outside_fences(text):
        heading = HEADING.match(line) if prose else None
        if heading and level and len(heading["marks"]) <= level:
            break
        if level:
            lines.append(line[1:] if heading else line)
        elif heading and heading["title"] == title:
            level = len(heading["marks"])
    if not level:
        raise KeyError(title)
    return "\n".join(lines).strip() + "\n"


def anchors_of(text: str) -> frozenset[str]:
    """The anchors of the headings of a text."""
    titles = (HEADING.match(line) for line, prose in outside_fences(text) if prose)
    return frozenset(slug(found["title"]) for found in titles if found)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where on the site the texts of the checkout stand: (include, the anchors within it, the page), in the order of
    the site."""

    places: tuple[tuple[Include, frozenset[str], str], ...]

    def page_of(self, file: str, anchor: str = "") -> str | None:
        """`page.md` or `page.md#anchor` that holds a file or a place of it; None where the site has none."""
        held = [place for place in self.places if place[0].file == file]
        for include, anchors, page in held:
            if anchor and anchor in anchors:
                return f"{page}#{anchor}"
            if anchor and slug(include.section) == anchor:
                return page
        whole = [page for include, _, page in held if not include.section]
        return whole[0] if whole else held[0][2] if held else None


def shelf_of(pages: Mapping[str, str], home: str = "index.md") -> Shelf:
    """What the pages (source by name) take in; the README as a whole is the home of the site."""
    places: list[tuple[Include, frozenset[str], str]] = [(Include("README.md"), frozenset(), home)]
    for name, text in pages.items():
        places += [(include, anchors_of(body(include)), name) for include in includes(text)]
    return Shelf(tuple(places))


def body(include: Include) -> str:
    """The text that an include stands for.

    Raises:
        FileNotFoundError, KeyError: there is no such file or section.
    """
    text = (ROOT / include.file).read_text(encoding="utf-8")
    return section_of(text, include.section) if include.section else text


def pictures(includes_of_site: Iterable[Include]) -> dict[str, Path]:
    """The pictures that included texts show: their place on the site, and the file."""
    found: dict[str, Path] = {}
    for include in includes_of_site:
        for link in LINK.finditer(body(include)):
            if link["image"]:
                path = _beside(include.file, link["target"])
                found[f"pictures/{path.replace('/', '-')}"] = ROOT / path
    return found


def _beside(file: str, target: str) -> str:
    """A link of a file of the checkout as a path from its root."""
    return PurePosixPath(os.path.normpath(PurePosixPath(file).parent / target)).as_posix()


def expanded(page: str, name: str, shelf: Shelf) -> str:
    """A page with every include in its place."""

    def text(found: re.Match[str]) -> str:
        include = Include(found["file"], found["section"] or "")
        return linked(body(include), include.file, name, shelf)

    return DIRECTIVE.sub(text, page)


def linked(text: str, file: str, page: str, shelf: Shelf) -> str:
    """A text of the checkout with its links as the page needs them."""

    def link(found: re.Match[str]) -> str:
        if "://" in found["target"]:
            return found[0]
        target, _, anchor = found["target"].partition("#")
        path = _beside(file, target) if target else file
        if found["image"]:
            return f"![{found['text']}]({_from(page, 'pictures/' + path.replace('/', '-'))})"
        place = shelf.page_of(path, anchor)
        if place is not None:
            return f"[{found['text']}]({_from(page, place)})"
        words = found["text"].strip("`")
        return f"`{path}`" if words in (path, target) else f"{found['text']} (`{path}`)"

    lines = (LINK.sub(link, line) if prose else line for line, prose in outside_fences(text))
    return "\n".join(lines) + "\n"


def _from(page: str, target: str) -> str:
    """A place of the site as a page links to it."""
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()
