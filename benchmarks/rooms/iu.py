"""Reports of IU X-ray with their human codes, from a folder of the user's own: their licence keeps the text
out of this repository."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from benchmarks.rooms.parts import Record

REPORTS = "iu_reports.jsonl"
LABELS = "labels.csv"


def reports(folder: Path) -> list[Record]:
    """The reports of `iu_reports.jsonl` anywhere below a folder, each with its text (findings and impression), its
    MeSH codes and, where `labels.csv` is there as well, its Open-i labels.

    The id is that of the same report among the gold files ("iu-567"), so that both lie in one part. FileNotFoundError
    where the file is missing.
    """
    path = _file(folder, REPORTS)
    if path is None:
        raise FileNotFoundError(f"no {REPORTS} below {folder}")
    labels = _labels(_file(folder, LABELS))
    lines = path.read_text(encoding="utf-8").split("\n")
    return [_record(json.loads(line), labels) for line in lines if line.strip()]


def _record(row: Record, labels: dict[str, Record]) -> Record:
    parts = ((name.upper(), row.get(name)) for name in ("findings", "impression"))
    return {
        "id": f"iu-{row['uid']}",
        "text": "\n".join(f"{name}: {text}" for name, text in parts if text),
        "mesh": [[word.strip() for word in code.split("/")] for code in row["mesh"].split(";") if code.strip()],
        "labels": labels.get(str(row["uid"])),
    }


def _labels(path: Path | None) -> dict[str, Record]:
    if path is None:
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["filename"].removeprefix("CXR"): {k: v == "1" for k, v in row.items() if k != "filename"} for row in rows
    }


def _file(folder: Path, name: str) -> Path | None:
    return next(iter(sorted(folder.rglob(name))), None)
