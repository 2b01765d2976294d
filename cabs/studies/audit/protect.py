"""Work of people that a file holds: ratings that must not be lost by writing over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cabs.errors import CabsError, OutputError
from cabs.io.output import writing
from cabs.io.sheet import ENDINGS, read_sheet
from cabs.studies.audit.columns import CORRECTED, MACHINE, PREFIX

FILLED = ("rating", *(PREFIX + name for name in CORRECTED), "comment")
"""The columns that only people fill in."""


def protect(outputs: Iterable[Path | None], hint: str = "name another place") -> None:
    """See that none of the places to be written is a sheet that someone has begun to rate.

    Raises:
        OutputError: one of them is.
    """
    for path in outputs:
        if path is None:
            continue
        with writing(path):
            rows = ratings(path) if path.is_file() else 0
        if rows:
            raise OutputError(f"holds a sheet with {rows} rated rows", place=str(path), hint=hint)


def ratings(path: Path) -> int:
    """The rows of a sheet that people have filled in; 0 for any other file."""
    if path.suffix.lower() not in ENDINGS:
        return 0
    try:
        return sum(_filled(record.fields) for record in read_sheet(path))
    except CabsError:  # whatever it is, it is no sheet that could be read back
        return 0


def _filled(fields: Mapping[str, object]) -> bool:
    return MACHINE in fields and any(str(fields.get(name, "")).strip() for name in FILLED)
