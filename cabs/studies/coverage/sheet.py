"""The coverage of a corpus as a sheet."""

from __future__ import annotations

from pathlib import Path

from cabs.io.sheet import write_sheet
from cabs.io.tables import Cell
from cabs.studies.coverage.tally import Coverage, PhraseRow

COLUMNS = (
    "phrase", "role", "count", "reports", "with_fact", "within", "near_id", "near_name", "near_score", "example_id",
    "example_start", "example_end", "example",
)  # fmt: skip


def write_coverage(coverage: Coverage, path: Path) -> None:
    """Write the phrases, one a row, as CSV or .xlsx.

    Raises:
        OutputError: the place can't be written; MissingExtraError: .xlsx without openpyxl.
    """
    write_sheet(path, COLUMNS, map(_cells, coverage.phrases))


def _cells(row: PhraseRow) -> list[Cell]:
    near: list[Cell] = [None, None, None] if row.near is None else [row.near.id, row.near.name, row.near.score]
    start, end = row.example.sentence
    counts: list[Cell] = [row.phrase, row.role, row.count, row.reports, row.with_fact, row.within]
    return [*counts, *near, row.example.id, start, end, row.example.text]
