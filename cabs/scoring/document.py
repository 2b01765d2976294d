"""A result as the results.json page: every key always there, whatever the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cabs.metrics import Counts, ErrorRow, score
from cabs.scoring.left_out import Listed
from cabs.scoring.result import Result, SystemResult

SCHEMA_VERSION = 1
"""Of results.json; a change that a reader would notice raises it."""

Json = dict[str, Any]


def document(result: Result) -> Json:
    """The result in JSON's own types. No path, no time, no number of workers: the same input gives the same
    page."""
    return {
        "schema_version": SCHEMA_VERSION,
        "signature": str(result.signature),
        "settings": {**dict(result.settings.items()), **dict(result.resampling.items())},
        "systems": [_system(result, s) for s in result.systems],
        "warnings": list(result.warnings),
    }


def _system(result: Result, system: SystemResult) -> Json:
    return {
        "system": system.system,
        "pairs": len(system.ids) + len(system.unscored),
        "scored": len(system.ids),
        "counts": system.counts.as_dict(),
        "scores": dict(system.scores),
        "intervals": {name: None if i is None else asdict(i) for name, i in system.intervals.items()},
        "macro": dict(system.macro),
        "by": {group: {k: _part(result, c) for k, c in keys.items()} for group, keys in system.by.items()},
        "errors": [_error(row) for row in system.errors],
        "unscored": _listed(system.unscored),
        "silent": _listed(system.silent),
        "issues": dict(system.issues),
        "editorial_share": system.editorial_share,
        "warnings": list(system.warnings),
    }


def _part(result: Result, counts: Counts) -> Json:
    return {"counts": counts.as_dict(), "scores": score(counts, result.settings)}


def _error(row: ErrorRow) -> Json:
    return {**asdict(row), "examples": list(row.examples)}


def _listed(items: Sequence[Listed]) -> list[Json]:
    return [asdict(item) for item in items]
