"""What the pages show is what a reader gets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.examples import Page, fits
from tests.docs.figures import TABLES, with_figures
from tests.docs.refresh import PAGES


def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_examples_print_what_the_page_says(root: Path, tmp_path: Path, name: str) -> None:
    page = Page((root / name).read_text(encoding="utf-8"), tmp_path)
    page.run()
    assert "\n".join(page.problems) == "", "`make readme` writes today's output into the page"


def test_figures_are_the_stored_ones(root: Path) -> None:
    pages = [(root / name).read_text(encoding="utf-8") for name in PAGES]
    assert {name for page in pages for name in re.findall(r"<!-- figures: (\w+) -->", page)} == TABLES.keys()
    assert [with_figures(page) for page in pages] == pages, "`make readme` writes the stored figures into the page"


def test_every_command_is_told(root: Path) -> None:
    help_text = Page("", root).command("cabs --help")
    commands = re.findall(r"^  ([a-z]+)  ", help_text[help_text.index("Commands:") :], re.M)
    assert commands
    assert [name for name in commands if f"`cabs {name}" not in readme(root)] == []


def test_an_ellipsis_stands_for_any_lines() -> None:
    assert fits("a  b\n...\nz\n", "a b\nc\nd\n\nz\n")
    assert fits("...\nz\n", "z\n")
    assert not fits("a\n...\n", "b\nc\n")
    assert not fits("a\n", "a\nb\n")
    assert fits("a:...|d\n", "a:b.c|d\n")
    assert not fits("a...d\n", "a\nd\n")
