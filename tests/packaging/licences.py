"""`make licences`: what the wheel's dependencies, and the sources of its ontology, are licensed under, as a page."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

import yaml

from tests.packaging.pins import CORE, ROOT, pins

PAGE = ROOT / "cabs" / "THIRD_PARTY.md"
HEAD = """# Third-party licences

Made by `make licences`; a test holds it to the locked dependencies and to ontology/SOURCES.yaml.

## In the wheel

| what | licence |
| --- | --- |
| CABS and its ontology | Apache-2.0 |
| Apache ECharts (cabs/leaderboard/site/vendor), with parts of d3 and zrender | Apache-2.0, BSD-3-Clause, BSD-3-Clause |

## Dependencies

Installed beside it, each under its own terms; versions as in .ci/core.txt. Licences are those that the packages state.

| package | licence |
| --- | --- |
"""
SOURCES = """
## Sources of the ontology

Identifiers and names of labels alone are here, no text of theirs; versions and notes stand in ontology/SOURCES.yaml,
the notices that are asked for in ontology/NOTICE.

| source | licence |
| --- | --- |
"""
PREFIX = "License :: OSI Approved :: "
SHORT = 60
"""Characters; a longer field holds a licence's whole text."""


def licence_of(package: Distribution) -> str:
    """What a package states: an SPDX expression, else its classifiers, else its licence field if that is a name."""
    metadata = package.metadata
    classified = [
        value.rpartition(" :: ")[2] for value in metadata.get_all("Classifier") or () if value.startswith(PREFIX)
    ]
    said = (metadata.get("License") or "").strip()
    named = said if len(said) <= SHORT and "\n" not in said else ""
    return metadata.get("License-Expression") or ", ".join(classified) or named


def known() -> dict[str, str]:
    """The licences on the page as it stands, by package."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.is_file() else []
    rows = (line.strip("| ").split(" | ") for line in lines if line.startswith("| ") and line.count(" | ") == 1)
    return dict(rows)  # type: ignore[arg-type, unused-ignore]


def dependencies() -> dict[str, str]:
    """package → licence, for every package that is locked for some system. What is not installed here keeps what the
    page has.

    Raises:
        LookupError: a package states none.
    """
    earlier, found = known(), {}
    for name in sorted({pin.name for pin in pins(CORE)}):
        try:
            licence = licence_of(distribution(name))
        except PackageNotFoundError:
            licence = earlier.get(name, "")
        if not licence:
            raise LookupError(f"no licence is known of {name}: install it here, or write it on the page")
        found[name] = licence
    return found


def sources() -> dict[str, str]:
    """source of the ontology → licence, as SOURCES.yaml has it."""
    content: dict[str, Any] = yaml.safe_load((ROOT / "ontology" / "SOURCES.yaml").read_text(encoding="utf-8"))
    entries = [entry for value in content.values() if isinstance(value, list) for entry in value if "licence" in entry]
    return {
        entry.get("name") or entry.get("id") or entry["what"]: " ".join(entry["licence"].split()) for entry in entries
    }


def page() -> str:
    """The whole page."""
    packages, origins = (
        "".join(f"| {name} | {licence} |\n" for name, licence in table.items()) for table in (dependencies(), sources())
    )
    return HEAD + packages + SOURCES + origins


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
