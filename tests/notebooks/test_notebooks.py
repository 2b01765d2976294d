"""The tours run, and what they show is what a reader gets."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.notebooks.execution import NOTEBOOKS, ROOT, TRAINING, differences, executed

HINT = "`make notebooks` executes the notebooks and stores what their cells give"
TOURS = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def outputs(path: Path) -> list[nbformat.NotebookNode]:
    return [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", ())]


def test_there_are_tours() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"correlation", "counterfactual"}


@TOURS
def test_a_tour_runs_and_shows_what_is_stored(path: Path, tmp_path: Path) -> None:
    today = executed(path, tmp_path)
    assert differences(nbformat.read(path, as_version=4), today) == "", HINT
    assert list((tmp_path / "notebooks").iterdir()) == [], "a tour leaves no file behind"


@pytest.mark.parametrize("path", [*NOTEBOOKS, TRAINING], ids=lambda path: path.stem)
def test_what_is_stored_is_complete_and_clean(path: Path) -> None:
    found = outputs(path)
    assert any("image/png" in output.get("data", {}) for output in found), HINT
    assert [output for output in found if output.output_type == "error" or output.get("name") == "stderr"] == []
    told = json.dumps(
        [{**output, "data": {k: v for k, v in output.get("data", {}).items() if k != "image/png"}} for output in found]
    )
    assert str(ROOT) not in told
    assert re.findall(r"/(?:home|Users|root|tmp|usr|opt)/\S*", told) == []


def stored(source: str, text: str = "") -> nbformat.NotebookNode:
    out = [new_output("stream", name="stdout", text=text)] if text else []
    return new_notebook(cells=[new_markdown_cell("A tour"), new_code_cell(source, id="only", outputs=out)])


def test_a_stale_output_is_told(tmp_path: Path) -> None:
    notebook = stored("print('F1', 1 / 2)", "F1 0.4\n")
    nbformat.write(notebook, tmp_path / "tour.ipynb")
    (tmp_path / "run").mkdir()
    today = executed(tmp_path / "tour.ipynb", tmp_path / "run")
    assert "-F1 0.4\n+F1 0.5" in differences(notebook, today)


def test_a_failing_cell_fails(tmp_path: Path) -> None:
    nbformat.write(stored("1 / 0"), tmp_path / "tour.ipynb")
    (tmp_path / "run").mkdir()
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        executed(tmp_path / "tour.ipynb", tmp_path / "run")


def test_spacing_and_hashes_make_no_difference() -> None:
    a, b = stored("", "onto@1/0123456789ab  x\n"), stored("", "onto@1/ba9876543210 x\n\n")
    assert differences(a, b) == ""
    changed = copy.deepcopy(b)
    changed.cells[1].outputs[0].text = "onto@2/ba9876543210 x\n"
    assert differences(a, changed)
