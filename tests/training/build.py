"""Configurations and data for the tests of training: small, whole, and in an empty folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

REPORTS = [
    "<findings>There is a 9 mm nodule in the right upper lobe.</findings><impression>Lung nodule.</impression>",
    "<findings>Small left pleural effusion.</findings><impression>Left pleural effusion.</impression>",
    "<findings>The lungs are clear. No effusion.</findings><impression>No acute abnormality.</impression>",
    "<findings>The liver is enlarged.</findings><impression>Hepatomegaly.</impression>",
]
ROWS = [
    {"prompt": f"Write the report of study {at}.", "reference": said} for at, said in enumerate([*REPORTS, *REPORTS])
]
"""Four to train on and four held out, unless a test takes fewer; no two prompts are the same."""


def lines(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path.name


def config(folder: Path, rows: list[dict[str, Any]] | None = None, **sections: Any) -> Path:
    """A configuration, half of whose rows are held out (all of two or fewer are both); `sections` replace or add to
    it."""
    chosen = ROWS if rows is None else rows
    half = len(chosen) // 2 if len(chosen) > 2 else 0
    numbered = [{"id": f"s{at}", **row} for at, row in enumerate(chosen)]
    data = {
        "train": lines(folder / "train.jsonl", numbered[half:]),
        "eval": lines(folder / "eval.jsonl", numbered[:half] or numbered),
    }
    content: dict[str, Any] = {"model": {"path": "model"}, "data": data, "output": "out"}
    for name, section in sections.items():
        content[name] = {**content[name], **section} if isinstance(content.get(name), dict) else section
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path
