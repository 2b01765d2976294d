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


def main(argv: list[str] | None = None) -> int:
    """Refresh the notebooks that are named, by default those without torch; what has changed goes to the standard
    error."""
    asked = [Path(name) for name in (sys.argv[1:] if argv is None else argv)]
    for path in asked or NOTEBOOKS:
        sys.stderr.write(f"{path.name}\n{refresh(path)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
