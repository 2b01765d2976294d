"""The hash of the facts that a run used: what makes numbers of a model's facts repeatable is the facts themselves.

Source: the specification of CABS, "Metrics": an LLM backend adds the hash of the facts used.
"""

from __future__ import annotations

from hashlib import sha256

from cabs.io.facts import fact_to_json, report_to_json
from cabs.io.jsontext import json_line
from cabs.matching import Alignment
from cabs.values import ParsedReport

NAME = "facts_used"
"""Its name in signatures."""
_ROOM = 1 << 256


def hash_of(reference: ParsedReport, prediction: ParsedReport | None, alignment: Alignment) -> str:
    """The SHA-256 (hex) of the facts of a pair and of which of them meet, slot by slot."""
    hits = [
        [fact_to_json(pair.reference), fact_to_json(pair.prediction), pair.location, pair.attributes, pair.certainty]
        for pair in alignment.hits
    ]
    sides = [report_to_json(reference), None if prediction is None else report_to_json(prediction)]
    return sha256(json_line({"sides": sides, "hits": hits}).encode()).hexdigest()


class FactsUsed:
    """Adds up the hashes of pairs; their order plays no part. `told` is False while there is none. `known`: the hash of
    pairs that were added up before, "" for none."""

    def __init__(self, known: str = "") -> None:
        self._sum, self.told = int(known or "0", 16), bool(known)

    def add(self, id: str, system: str | None, used: str) -> None:
        """Add the hash of a pair; "" (a pair without facts of a model) adds nothing."""
        if used:
            line = json_line({"id": id, "system": system, "used": used})
            self._sum = (self._sum + int(sha256(line.encode()).hexdigest(), 16)) % _ROOM
            self.told = True

    def merge(self, other: FactsUsed) -> None:
        """Add the pairs that another one has added up."""
        self._sum, self.told = (self._sum + other._sum) % _ROOM, self.told or other.told

    @property
    def hash(self) -> str:
        """The hash of all of them (hex)."""
        return f"{self._sum:064x}"
