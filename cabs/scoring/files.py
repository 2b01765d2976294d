"""The files of a run: results.json, the reports table and the error table, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cabs.io.jsontext import json_page
from cabs.io.output import Staging, staged, writing
from cabs.io.tables import CsvTable, JsonlTable, ParquetTable, Table
from cabs.scoring.document import document
from cabs.scoring.portion import ReportRows
from cabs.scoring.result import Result
from cabs.scoring.rows import ERRORS, REPORTS, error_rows

RESULTS = "results.json"
REPORTS_PARQUET = "reports.parquet"
FILES = (RESULTS, REPORTS_PARQUET, "reports.csv", "errors.csv", "errors.jsonl")
"""Every file that a run writes into its folder."""


class RunFiles:
    """The files of one run, still in their hidden folder."""

    def __init__(self, staging: Staging) -> None:
        self.staging = staging
        self.parquet = ParquetTable(staging.path(REPORTS_PARQUET), REPORTS)
        self.csv = CsvTable(staging.path("reports.csv"), REPORTS)

    def add(self, rows: ReportRows) -> None:
        """Write the rows of some reports."""
        self.parquet.add_batch(rows.arrow)
        self.csv.add_text(rows.csv)

    def close(self) -> None:
        """Close the reports table; closing it again does nothing."""
        with closing(self.csv):
            self.parquet.close()

    def finish(self, result: Result) -> None:
        """Write everything that is known at the end."""
        self.close()
        errors: tuple[Table, ...] = (
            CsvTable(self.staging.path("errors.csv"), ERRORS),
            JsonlTable(self.staging.path("errors.jsonl"), ERRORS),
        )
        for table in errors:
            for system in result.systems:
                for row in error_rows(system.system, system.errors):
                    table.add(row)
            table.close()
        path = self.staging.path(RESULTS)
        with writing(path):
            path.write_text(json_page(document(result)), encoding="utf-8", newline="\n")


@contextmanager
def run_files(folder: Path) -> Iterator[RunFiles]:
    """The files of a run, which appear in `folder` when the block ends well.

    Raises:
        OutputError: the folder can't be written; this is known before any work is done.
    """
    with staged(folder, RESULTS, FILES) as staging, closing(RunFiles(staging)) as files:
        yield files
