"""The options of commands that compare metrics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.cli.metric_options import chosen
from cabs.errors import InputError, SettingError
from cabs.ontology import load_ontology

DEFAULT = ("f1", "rouge_l")


def names(metrics: list[str] | None, columns: list[str] | None, scores: Path | None) -> list[str]:
    return [metric.name for metric in chosen(metrics, DEFAULT, load_ontology(), columns, scores)]


def test_without_a_choice_there_is_a_default() -> None:
    assert names(None, None, None) == ["f1", "rouge_l"]
    assert names(["chrf"], None, None) == ["chrf"]


def test_columns_come_besides(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"id": "1", "green": 0.5}) + "\n")
    assert names(None, ["green:higher:clinical"], path) == ["f1", "rouge_l", "green"]
    assert names(None, ["judge:lower:clinical"], None)[-1] == "judge"


def test_a_file_without_a_column_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="--column NAME"):
        names(None, None, tmp_path / "s.jsonl")
    with pytest.raises(InputError, match="no such file"):
        names(None, ["green:higher:clinical"], tmp_path / "s.jsonl")
