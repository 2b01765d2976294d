"""A folder that `cabs score -o` wrote → the systems of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isclose
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.jsontext import parse_json
from cabs.io.parquet import check_columns, records
from cabs.leaderboard.about import About
from cabs.leaderboard.entrant import Case, Entrant
from cabs.leaderboard.page import systems_of
from cabs.matching import Settings
from cabs.metrics import NAMES, score
from cabs.scoring.case import Entry, entry_from_json
from cabs.scoring.compare import Contender, read_run
from cabs.scoring.files import REPORTS_PARQUET, RESULTS
from cabs.scoring.rows import REPORTS

COLUMNS = ("id", "system", "status", "reason", *NAMES, "alignment", "reference_text", "prediction_text")
AGAIN = "score it again with this version of CABS"


def read_results(folder: Path, about: About | None = None) -> list[Entrant]:
    """The systems of a run, in its order. `about`: what is known of the system, where the run is of one.

    Raises:
        InputError: a file is missing, of another version or damaged, the files are not of one run, or there are several
            systems and `about` is of one.
    """
    if not folder.is_dir():
        hint = "name a folder that `cabs score FILE -o FOLDER` wrote"
        raise InputError("this is no folder" if folder.exists() else "no such folder", place=str(folder), hint=hint)
    contenders = {c.system: c for c in read_run(folder)}
    page = folder / RESULTS
    found = systems_of(parse_json(page.read_text(encoding="utf-8"), str(page)), str(page), AGAIN)
    cases = _cases(folder / REPORTS_PARQUET)
    if about is not None and len(found) != 1:
        raise InputError(f"holds {len(found)} systems, one is expected", place=str(folder))
    entrants = []
    for name, result in found.items():
        contender = contenders.get(name)
        if contender is None:
            raise InputError(f"the reports of system {name!r} are missing", place=str(folder), hint=AGAIN)
        _same_run(contender, result["scores"], page)
        known = about or About(contender.label)
        entrants.append(Entrant(known, result, replace(contender, label=known.system), tuple(cases.get(name, ()))))
    return entrants


def _same_run(contender: Contender, scores: Mapping[str, float | None], page: Path) -> None:
    """See that the scores are those of the counts in the reports table."""
    counted = score(contender.rows.total(), Settings.from_items(contender.signature.items))
    for name in NAMES:
        mine, theirs = scores[name], counted[name]
        if mine != theirs and (mine is None or theirs is None or not isclose(mine, theirs, rel_tol=1e-9)):
            what = f"{name} of {contender.label!r} is {mine}, {REPORTS_PARQUET} gives {theirs}: not of one run"
            raise InputError(what, place=str(page), hint=AGAIN)


def _cases(path: Path) -> dict[str | None, list[Case]]:
    """The reports of each system. Raises InputError where the table lacks a column or keeps something else in it."""
    check_columns(path, [column for column in REPORTS if column[0] in COLUMNS], AGAIN)
    found: dict[str | None, list[Case]] = {}
    for record in records(path, COLUMNS):
        row: Mapping[str, Any] = record.fields
        found.setdefault(row.get("system"), []).append(case_of_row(row, record.place))
    return {name: sorted(cases, key=lambda case: case.id) for name, cases in found.items()}


def case_of_row(row: Mapping[str, Any], place: str) -> Case:
    """The case of a row of the reports table.

    Raises:
        InputError: the table does not keep alignments, or they are damaged.
    """
    if row["id"] is None or row["status"] is None:
        raise InputError("a report has no id or no status", place=place, hint=AGAIN)
    return Case(
        id=row["id"],
        status=row["status"],
        reason=row.get("reason") or "",
        reference=row.get("reference_text"),
        prediction=row.get("prediction_text"),
        entries=tuple(_entries(row.get("alignment"), place)),
        scores={name: row.get(name) for name in NAMES},
    )


def _entries(text: str | None, place: str) -> Iterator[Entry]:
    if text is None:
        raise InputError("the reports table does not keep how the reports were aligned", place=place, hint=AGAIN)
    value = parse_json(text, place)
    if not isinstance(value, list):
        raise InputError("an alignment is a list of entries", place=place, hint=AGAIN)
    for number, entry in enumerate(value):
        yield entry_from_json(entry, f"{place}: alignment[{number}]")
