"""The medspaCy pipeline beside CABS's parser on the same reports, in turn on one core; both only read, none scores."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import cabs
from benchmarks.corpora import TextPair
from benchmarks.speed.clock import timed, told
from benchmarks.speed.scorers import fresh

CHILD = Path(__file__).with_name("medspacy_pipeline.py")
REPORTS, TURNS = 150, 3


def names() -> list[str]:
    """A target rule for every name of a finding that the ontology knows."""
    entities = cabs.load_ontology().entities.values()
    return sorted({name for entity in entities for name in (entity.label, *entity.forms, *entity.abbreviations)})


def beside(python: Path, pairs: Sequence[TextPair]) -> dict[str, Any]:
    """Reports per second of both. `python`: an interpreter that has medspaCy."""
    texts = list(dict.fromkeys(reference for reference, _ in pairs))[:REPORTS]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "asked.json"
        file.write_text(json.dumps({"texts": texts, "names": names()}), encoding="utf-8", newline="\n")
        turns = [(_theirs(python, file), _ours(texts)) for _ in range(TURNS)]
    return {
        "reports": len(texts),
        "rules": len(names()),
        "version": turns[0][0]["version"],
        "medspacy_reports_per_second": round(len(texts) / median(theirs["seconds"] for theirs, _ in turns)),
        "cabs_reports_per_second": round(len(texts) / median(ours for _, ours in turns)),
        "medspacy_hits": turns[0][0]["hits"],
        "to_medspacy": told([theirs["seconds"] / ours for theirs, ours in turns]),
    }


def _theirs(python: Path, file: Path) -> dict[str, Any]:
    done = subprocess.run([python, CHILD, file], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _ours(texts: Sequence[str]) -> float:
    fresh()
    return timed(lambda: [cabs.parse(text) for text in texts])
