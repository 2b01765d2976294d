"""Digests of what the shipped examples give, so that any machine can be held to the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from cabs.io.facts import report_to_json
from cabs.io.jsontext import json_line
from cabs.io.pairs import read_pairs
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology
from cabs.ontology.examples import cases
from cabs.parsing import parse
from cabs.scoring.document import document
from cabs.scoring.judge import Plan
from cabs.scoring.run import Options, run
from cabs.values import Pair

GOLDEN = Path(__file__).resolve().parents[1] / "_demo" / "golden.json"
"""The digests as they were recorded."""
DECIMALS = 9
"""Of the ends of intervals: they pass through the exponentials of the C library, whose last bit is its own."""

Digests = dict[str, str]


def digests(pairs: Path, ontology: Ontology) -> Digests:
    """SHA-256 (hex) of the facts in the texts of these pairs and in the ontology's examples, of the counts and scores
    of the pairs, and of their intervals; and the ontology's own content hash.

    Raises:
        InputError: the pairs can't be read.
    """
    read = list(read_pairs(pairs))
    page = document(run(read, Plan(ontology), Options(Resampling())))
    intervals = [system.pop("intervals") for system in page["systems"]]
    return {
        "ontology": ontology.content_hash,
        "facts": _digest(_facts(_texts(read, ontology), ontology)),
        "scores": _digest([json_line(page)]),
        "intervals": _digest([json_line({"systems": _rounded(intervals)})]),
    }


def recorded() -> Digests:
    """The digests that the shipped examples had where they were recorded."""
    found: Digests = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


def _texts(pairs: Sequence[Pair], ontology: Ontology) -> Iterator[str]:
    for pair in pairs:
        yield from (text for text in (pair.reference, pair.prediction) if isinstance(text, str))
    yield from (case.example.text for case in cases(ontology))


def _facts(texts: Iterable[str], ontology: Ontology) -> Iterator[str]:
    for text in dict.fromkeys(texts):
        yield json_line(report_to_json(parse(text, ontology=ontology)))


def _digest(lines: Iterable[str]) -> str:
    found = sha256()
    for line in lines:
        found.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0  # no negative zero
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
