"""The core → whether it works here: the knowledge loads, and one sentence gives the facts that it gives everywhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cabs.checkup.packages import Package

SENTENCE = Path(__file__).resolve().parents[1] / "_demo" / "sentence.json"
"""The sentence, and the digest of its facts as they were recorded."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The shipped ontology: name, version, content hash (SHA-256, hex) and the number of its records."""

    name: str
    version: str
    content_hash: str
    entities: int
    places: int
    organs: int


@dataclass(frozen=True, slots=True)
class Core:
    """Whether the core works, what was seen, and the knowledge, where it loads."""

    works: bool
    seen: str
    knowledge: Knowledge | None


def core(dependencies: tuple[Package, ...]) -> Core:
    """Load the ontology, parse the sentence. Whatever goes wrong is what is seen: the point is to tell it."""
    lacking = [package for package in dependencies if not package.fits]
    knowledge = None
    try:
        knowledge = shipped()
        same = digest(str(_recorded()["text"])) == _recorded()["facts"]
    except Exception as error:  # noqa: BLE001  # a broken installation breaks in any way
        return Core(False, f"{type(error).__name__}: {error}", knowledge)
    if lacking:
        names = ", ".join(f"{package.name}{package.wanted}" for package in lacking)
        return Core(False, f"not met: {names}", knowledge)
    told = "a sentence gives the recorded facts" if same else "a sentence gives other facts than the recorded ones"
    return Core(same, told, knowledge)


def shipped() -> Knowledge:
    """The ontology that comes with the package.

    Raises:
        OntologyError: it can't be loaded.
    """
    from cabs.ontology import load_ontology

    found = load_ontology()
    sizes = (len(found.entities), len(found.structures), len(found.organs))
    return Knowledge(found.name, found.version, found.content_hash, *sizes)


def digest(text: str) -> str:
    """SHA-256 (hex) of the facts of a text, as the shipped ontology gives them."""
    from cabs.io.facts import report_to_json
    from cabs.io.jsontext import json_line
    from cabs.parsing import parse

    return sha256(json_line(report_to_json(parse(text))).encode()).hexdigest()


def _recorded() -> dict[str, str]:
    found: dict[str, str] = json.loads(SENTENCE.read_text(encoding="utf-8"))
    return found
