"""Negation status of the concepts of the NegEx test kit, a sentence each.

A concept is read where a fact's mention overlaps it; the longest overlap decides, then the earlier fact. A read concept
is negated where that fact is absent. Many concepts are no findings of radiology (vital signs, histories, statements of
normality), so coverage says how many are read, accuracy how many of these have the right status.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Measured, Record
from benchmarks.rooms.ratios import prf, share
from benchmarks.rooms.reading import read
from cabs.values import Fact

NEGATED = "negated"


def sentences(path: Path) -> list[Record]:
    """The rows of the packed test kit."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [{**row, "id": f"negex-{row['n']}"} for row in rows]


def measure(records: Sequence[Record]) -> Measured:
    """Coverage and accuracy, and precision, recall and F1 of the negated ones among those read."""
    counted = [(record, fact) for record in records if (fact := reading(record))]
    wrong = [(r, f) for r, f in counted if (f.status == "absent") != (r["negation"] == NEGATED)]
    denied = [record for record, fact in counted if fact.status == "absent"]
    truth = [record for record, _ in counted if record["negation"] == NEGATED]
    figures = {
        "sentences": len(records),
        "read": len(counted),
        "coverage": share(len(counted), len(records)),
        "accuracy": share(len(counted) - len(wrong), len(counted)),
        "negated": prf(sum(r["negation"] == NEGATED for r in denied), len(denied), len(truth)),
    }
    mistakes = [Mistake("negex", f"{r['negation']}, read {f.status}", r["id"], f.name, r["sentence"]) for r, f in wrong]
    return figures, mistakes


def reading(record: Record) -> Fact | None:
    """The fact that reads the concept of a row; None where none does."""
    start = record["sentence"].lower().find(record["concept"].lower())
    if start < 0:
        return None
    end = start + len(record["concept"])
    shared = [
        (min(end, fact.mention.end) - max(start, fact.mention.start), -i, fact)
        for i, fact in enumerate(read(record["sentence"]).facts)
    ]
    best = max((item for item in shared if item[0] > 0), key=lambda item: item[:2], default=None)
    return best[2] if best else None
