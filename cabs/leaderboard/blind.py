"""A board without a word of its reports: what is left are ids, places, values and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cabs.leaderboard.board import Board, Standing, notes_of
from cabs.leaderboard.entrant import Case, Entrant
from cabs.scoring.case import without_text
from cabs.values import OTHER

Names = Callable[[str], str]
"""Entity → a name that is no word of a report."""


def blind(board: Board, label: Names) -> Board:
    """The board with every quoted word taken out. `label`: what the ontology calls an entity."""

    def names(entity: str) -> str:
        return "" if entity == OTHER else label(entity)

    standings = tuple(_standing(standing, names) for standing in board.standings)
    notes = (*notes_of([standing.entrant for standing in standings]), *board.surface.notes)
    return replace(board, standings=standings, notes=notes)


def _standing(standing: Standing, names: Names) -> Standing:
    entrant = standing.entrant
    cases = tuple(_case(case, names) for case in entrant.cases)
    return replace(standing, entrant=replace(entrant, result=_result(entrant, names), cases=cases))


def _case(case: Case, names: Names) -> Case:
    entries = tuple(without_text(entry, names) for entry in case.entries)
    return replace(case, reason=_code(case.reason), reference=None, prediction=None, entries=entries)


def _result(entrant: Entrant, names: Names) -> Mapping[str, Any]:
    result = entrant.result
    listed = {
        name: [{"id": item["id"], "reason": _code(item["reason"])} for item in result[name]]
        for name in ("unscored", "silent")
    }
    errors = [{**row, "name": names(row["entity"])} for row in result["errors"]]
    # Warnings of unscored pairs quote the reasons; the pairs are listed with their ids all the same.
    reasons = [item["reason"] for item in result["unscored"]]
    warnings = [said for said in result["warnings"] if not any(reason in said for reason in reasons)]
    return {**result, **listed, "errors": errors, "warnings": warnings}


def _code(reason: str) -> str:
    """A reason without what it says of the text: "parser failed: ..." is "parser failed"."""
    return reason.partition(": ")[0]
