"""What mkdocs calls while it builds: made pages are added, and READMEs come into the pages that name them."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

import cabs
from notebooks.docs.made import browser, commands, fuzzed
from notebooks.docs.made.fences import titled
from notebooks.docs.made.included import Shelf, expanded, includes, pictures, shelf_of

_SITE: dict[str, Shelf] = {}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that the program and the ontology make, and the pictures of included texts."""
    written = {file.src_uri: file.content_string for file in files.documentation_pages()}
    _SITE["shelf"] = shelf_of(written)
    made = {"commands.md": commands.page(), **browser.pages(cabs.load_ontology())}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    for name, path in pictures(include for text in written.values() for include in includes(text)).items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A page as the site shows it."""
    name = page.file.src_uri
    return titled(fuzzed.filled(expanded(markdown, name, _SITE["shelf"])))
