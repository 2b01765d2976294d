"""A notebook → the same notebook with what its cells give today, and how the two differ."""

from __future__ import annotations

import difflib
import os
import re
import shutil
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
TRAINING = ROOT / "notebooks" / "train.ipynb"
"""Needs torch, and is executed by `make test-train`."""
NOTEBOOKS = sorted(set((ROOT / "notebooks").glob("*.ipynb")) - {TRAINING})
DATA = tuple(Path("benchmarks") / name for name in ("gold", "divergence", "__init__.py"))
"""All of the checkout that a notebook may read."""

HASH = re.compile(r"\b[0-9a-f]{12,}\b")
LIMIT = 300
"""Seconds for a cell, many times what it takes."""


def executed(path: Path, folder: Path) -> NotebookNode:
    """The notebook, run in an empty folder that becomes a small checkout: the data and the notebook's place.

    Raises:
        CellExecutionError: a cell fails.
    """
    place = folder / "notebooks"
    place.mkdir()
    for part in DATA:
        _copy(ROOT / part, folder / part)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LIMIT,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(place)}},
        extra_arguments=["--log-level=ERROR"],  # a kernel warns of its own sockets, which stay on this machine
    )
    # Neither the profile nor the history of whoever runs it has a part in it.
    client.execute(env={**os.environ, "IPYTHONDIR": str(folder / "ipython")})
    notebook.metadata.language_info = {"name": "python"}  # without the version, which differs between machines
    return notebook


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def told(notebook: NotebookNode) -> list[str]:
    """What the cells tell as text, line by line: streams and tables; a picture is its kind alone. Hashes are left out
    and spacing is squeezed."""
    found: list[str] = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            found += [f"{cell.id} {output.output_type}", *_lines(output)]
    return found


def _lines(output: NotebookNode) -> list[str]:
    data = output.get("data", {})
    if "image/png" in data:
        return ["a picture"]
    text = output.get("text") or data.get("text/plain", "")
    return [HASH.sub("...", " ".join(line.split())) for line in text.splitlines() if line.strip()]


def differences(stored: NotebookNode, today: NotebookNode) -> str:
    """What differs between two executions, as a diff; "" where nothing does."""
    return "\n".join(difflib.unified_diff(told(stored), told(today), "stored", "today", lineterm="", n=1))
