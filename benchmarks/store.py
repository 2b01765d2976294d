"""Stored results: one JSON file per benchmark with stable keys, so that a diff shows what moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cabs

RESULTS = Path(__file__).parent / "results"


def signature() -> dict[str, str]:
    """What the figures depend on: the package and the knowledge it read."""
    ontology = cabs.load_ontology()
    return {"cabs": cabs.__version__, "ontology": ontology.version, "ontology_hash": ontology.content_hash}


def save(name: str, figures: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Write `<name>.json` with the signature in front; an older file is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    record = {"benchmark": name, "signature": signature(), **figures}
    path.write_text(json.dumps(record, indent=1, sort_keys=False) + "\n", encoding="utf-8", newline="\n")
    return path


def load(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Read a stored result; raises FileNotFoundError where the benchmark was never run."""
    record: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return record


def stored(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """A stored result; nothing where the benchmark was never run."""
    try:
        return load(name, folder)
    except FileNotFoundError:
        return {}
