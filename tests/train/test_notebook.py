"""The notebook that trains runs. What it shows is of one machine: floating-point sums differ between processors."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests.notebooks.execution import TRAINING, executed


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_trains_a_model(tmp_path: Path) -> None:
    today = executed(TRAINING, tmp_path)
    stored = nbformat.read(TRAINING, as_version=4)
    shown = [[output.output_type for output in cell.get("outputs", ())] for cell in today.cells]
    assert shown == [[output.output_type for output in cell.get("outputs", ())] for cell in stored.cells]
    text = "".join(output.get("text", "") for cell in today.cells for output in cell.get("outputs", ()))
    assert "exit 0" in text
    assert list((tmp_path / "notebooks").iterdir()) == [], "a tour leaves no file behind"
