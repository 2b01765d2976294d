"""`make notebooks`: execute the notebooks and store what their cells give today."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import nbformat

from tests.notebooks.execution import NOTEBOOKS, differences, executed


def refresh(path: Path) -> str:
    """Store today's outputs; what has changed, as a diff."""
    stored = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        today = executed(path, Path(folder))
    nbformat.write(today, path)
    return differences(stored, today)


def main() -> int:
    """Refresh every notebook; what has changed goes to the standard error."""
    for path in NOTEBOOKS:
        sys.stderr.write(f"{path.name}\n{refresh(path)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
