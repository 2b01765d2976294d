"""What the site is made of: READMEs taken in where they are, and pages that the program and the ontology make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import cabs
from notebooks.docs.made import browser, commands, fuzzed
from notebooks.docs.made.fences import titled
from notebooks.docs.made.included import (
    Include,
    Shelf,
    anchors_of,
    body,
    expanded,
    includes,
    linked,
    pictures,
    section_of,
    shelf_of,
)
from tests.docs.examples import Page
from tests.docs.refresh import PAGES, SITE

TEXT = """# Top
intro
## One
see [two](#two) and [code](../x.py), [it](https://example.org), ![p](pic.png)
### Deep
```sh
## no heading
```
## Two
end
"""


@pytest.fixture(scope="module")
def sources(root: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (root / SITE).glob("*.md")}


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    assert section_of(TEXT, "One").splitlines()[1:] == ["## Deep", "```sh", "## no heading", "```"]
    assert anchors_of(TEXT) == {"top", "one", "deep", "two"}
    with pytest.raises(KeyError):
        section_of(TEXT, "Three")


def test_links_lead_to_the_page_that_holds_what_they_name() -> None:
    shelf = Shelf(((Include("a/b.md"), anchors_of(TEXT), "page.md"),))
    text = linked(TEXT, "a/b.md", "page.md", shelf)
    assert "[two](page.md#two)" in text
    assert "code (`x.py`)" in text
    assert "[it](https://example.org)" in text
    assert "![p](pictures/a-pic.png)" in text


def test_what_pages_take_in_is_there(sources: dict[str, str]) -> None:
    found = [include for text in sources.values() for include in includes(text)]
    assert len(found) > 10
    assert all(body(include).strip() for include in found)
    assert all(path.is_file() for path in pictures(found).values())
    shelf = shelf_of(sources)
    assert all("<!-- include" not in expanded(text, name, shelf) for name, text in sources.items())


def test_every_page_stands_in_the_contents(root: Path, sources: dict[str, str]) -> None:
    config = (root / SITE).parent / "mkdocs.yml"
    named = set(re.findall(r"[\w/-]+\.md", str(yaml.safe_load(config.read_text(encoding="utf-8"))["nav"])))
    made = {"commands.md", *(name for name in named if name.startswith(browser.FOLDER))}
    assert named - made == set(sources)
    assert {f"{SITE}/{name}" for name in sources} <= set(PAGES)


def test_blocks_carry_the_names_of_their_files() -> None:
    assert titled("```yaml my/terms.yaml\na\n```") == '```yaml title="my/terms.yaml"\na\n```'
    assert titled("<!-- figures: speed -->\n| `a\\|b` | c\\|d |\n<!-- end -->\n") == "| `a|b` | c\\|d |\n"


def test_the_reference_tells_every_command_and_option(root: Path) -> None:
    page, run = commands.page(), Page("", root).command
    names = [name for name, _, _ in commands.commands()]
    assert len(names) > 25
    assert re.findall(r"^## (cabs .*)$", page, re.M) == names
    for name in ("cabs score", "cabs ontology lint", "cabs audit read"):
        part = page[page.index(f"## {name}\n") :].partition("\n## ")[0]
        options = set(re.findall(r"--[a-z-]+", run(f"{name} --help"))) - {"--help"}
        assert options <= set(re.findall(r"--[a-z-]+", part))
    assert not [line for line in page.splitlines() if line.startswith("|") and re.search(r"\bNone\b", line)]


def test_the_browser_shows_every_record() -> None:
    ontology = cabs.load_ontology()
    pages = browser.pages(ontology)
    text = "\n".join(pages.values())
    ids = re.findall(r"^## .* \{ #([\w@]+) \}$", text, re.M)
    assert set(ids) >= {*ontology.entities, *ontology.structures, *ontology.attribute_kinds}
    for page in pages.values():
        for link, anchor in re.findall(r"\]\(([\w-]+\.md)#(\w+)\)", page):
            assert f"{{ #{anchor} }}" in pages[f"{browser.FOLDER}/{link}"]
    entity = ontology.entities["renal_cyst"]
    part = pages["ontology/organ-kidney.md"].partition("{ #renal_cyst }")[2].partition("\n## ")[0]
    assert all(form in part for form in entity.forms)
    assert all(pair.why in pages["ontology/opposites.md"] for pair in ontology.distinct[:20])


def test_the_record_of_fuzzing_is_told_as_it_is_stored() -> None:
    record = {
        "signature": {"cabs": "1.0", "ontology": "2.0"},
        "inputs": 1234567.0,
        "cpu_minutes": 61.25,
        "targets": {"parser": {"inputs": 1234567, "cpu_minutes": 61.25}},
    }
    assert "| parser | 1,234,567 | 61.2 |" in fuzzed.told(record)
    assert fuzzed.PLACE not in fuzzed.filled(f"x\n{fuzzed.PLACE}\n")
