"""A leaderboard as tables with fixed columns: systems, organs, findings, errors, tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from cabs.io.formula import harmless
from cabs.io.tables import Cell, Column, Row
from cabs.leaderboard.board import Board, Standing
from cabs.leaderboard.entrant import UNSCORED, Entrant
from cabs.metrics import NAMES

COVERAGE = ("reports", "scored", "missing", "unread", "unscored")
"""How many reports a system was asked about, how many count, of these how many predictions are missing or say nothing
that is understood, and how many are left out."""

COUNTED = ("reports", "facts", "hits", "extra", "consistent", "contradicted")
SHARES = ("precision", "recall", "f1", "loc_acc", "att_acc", "fc_rate", "fc_f1")
"""The counts and metrics of a part (an organ, a finding)."""

PARTS: tuple[Column, ...] = (
    ("system", "text"), ("part", "text"),
    *((f"n_{name}", "int") for name in COUNTED), *((name, "float") for name in SHARES),
)  # fmt: skip
"""One row a system and organ, or a system and finding."""

ERRORS: tuple[Column, ...] = (
    ("system", "text"), ("error", "text"), ("count", "int"), ("reports", "int"), ("per_100", "float"),
)  # fmt: skip
"""One row a system and kind of error: how often it occurs, and how often in 100 scored reports."""

TESTS: tuple[Column, ...] = (
    ("above", "text"), ("below", "text"), ("difference", "float"), ("se", "float"), ("p", "float"),
    ("p_corrected", "float"), ("significant", "bool"), ("units", "int"),
)  # fmt: skip


def coverage(entrant: Entrant) -> dict[str, int]:
    """The numbers of `COVERAGE`."""
    found = Counter(case.status for case in entrant.cases)
    scored = len(entrant.cases) - found["unscored"]
    return {"reports": len(entrant.cases), "scored": scored, **{name: found[name] for name in COVERAGE[2:]}}


def systems_columns(board: Board) -> tuple[Column, ...]:
    """The columns of the table of systems: every metric of facts, then those of words, with their intervals."""
    head: tuple[Column, ...] = (
        ("rank", "int"), ("group", "int"), ("system", "text"), ("paper", "text"), ("link", "text"),
        ("licence", "text"), *((name, "int") for name in COVERAGE),
    )  # fmt: skip
    names = (*NAMES, *(metric.name for metric in board.surface.metrics))
    return (*head, *((f"{name}{end}", "float") for name in names for end in ("", "_low", "_high")))


def systems(board: Board) -> Iterator[dict[str, Cell]]:
    """One row a system, the best first."""
    for standing in board.standings:
        about = standing.entrant.about
        row: dict[str, Cell] = {
            "rank": standing.rank,
            "group": standing.group,
            "system": harmless(about.system),
            "paper": harmless(about.paper),
            "link": harmless(about.link),
            "licence": harmless(about.licence),
            **coverage(standing.entrant),
        }
        for name, (value, low, high) in values(board, standing).items():
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        yield row


def values(board: Board, standing: Standing) -> dict[str, tuple[float | None, float | None, float | None]]:
    """Value, low and high of every metric of a system, those of words last."""
    result = standing.entrant.result
    found = {}
    for name in NAMES:
        interval = result["intervals"].get(name) or {}
        found[name] = (result["scores"][name], interval.get("low"), interval.get("high"))
    for name, estimate in board.surface.values.get(standing.name, {}).items():
        bounds = estimate.interval
        found[name] = (estimate.value, bounds.low, bounds.high) if bounds else (estimate.value, None, None)
    return found


def parts(board: Board, by: str) -> Iterator[Row]:
    """One row a system and organ ("organ") or finding ("entity")."""
    for standing in board.standings:
        for key, part in standing.entrant.result["by"][by].items():
            counts: Mapping[str, int] = part["counts"]
            row: dict[str, Cell] = {"system": harmless(standing.name), "part": harmless(key)}
            row |= {f"n_{name}": counts[name] for name in COUNTED}
            yield row | {name: part["scores"][name] for name in SHARES}


def errors_of(entrant: Entrant) -> dict[str, tuple[int, int]]:
    """error → how often it occurs and in how many reports, of what the settings count; the most frequent first.
    The sum over details, entities and organs: a report with two of them counts once."""
    count: Counter[str] = Counter()
    reports: Counter[str] = Counter()
    for case in entrant.cases:
        if case.status != UNSCORED:
            found = Counter(name for entry in case.entries if entry.counts for name in entry.occurrences)
            count.update(found)
            reports.update(found.keys())
    return {name: (count[name], reports[name]) for name in sorted(count, key=lambda name: (-count[name], name))}


def errors(board: Board) -> Iterator[Row]:
    """One row a system and kind of error."""
    for standing in board.standings:
        scored = coverage(standing.entrant)["scored"]
        for name, (count, reports) in errors_of(standing.entrant).items():
            yield {
                "system": harmless(standing.name),
                "error": name,
                "count": count,
                "reports": reports,
                "per_100": 100 * count / scored if scored else None,
            }


def tests(board: Board) -> Iterator[Row]:
    """One row a pair of systems that was tested."""
    for test in board.tests:
        yield {
            "above": harmless(test.above),
            "below": harmless(test.below),
            "difference": test.difference,
            "se": test.se,
            "p": test.p,
            "p_corrected": test.corrected,
            "significant": test.shown,
            "units": test.reports,
        }


def document(board: Board) -> dict[str, Any]:
    """The whole board in JSON's own types, every key always there."""
    names = {"part": "organ"}
    return {
        "schema_version": 1,
        "signature": str(board.signature),
        "benchmark": {
            "name": board.framed.name,
            "title": board.framed.title,
            "version": board.framed.version,
            "changes": [dict(change) for change in board.framed.changes],
        },
        "rank_by": board.metric.name,
        "reports": board.reports,
        "systems": [_system(board, standing) for standing in board.standings],
        "tests": [dict(row) for row in tests(board)],
        "organs": [{names.get(k, k): v for k, v in row.items()} for row in parts(board, "organ")],
        "surface": {metric.name: metric.signature for metric in board.surface.metrics},
        "notes": list(board.notes),
    }


def _system(board: Board, standing: Standing) -> dict[str, Any]:
    entrant = standing.entrant
    return {
        "rank": standing.rank,
        "group": standing.group,
        **entrant.about.to_json(),
        "coverage": coverage(entrant),
        "values": {n: {"value": v, "low": a, "high": b} for n, (v, a, b) in values(board, standing).items()},
        "errors": {name: {"count": n, "reports": r} for name, (n, r) in errors_of(entrant).items()},
        "unscored": list(entrant.result["unscored"]),
        "silent": list(entrant.result["silent"]),
    }
