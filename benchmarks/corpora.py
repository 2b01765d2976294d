"""The pairs that are timed: reports of a set, each as the reference of the next one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TextPair = tuple[str, str]


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file; blank lines are passed over."""
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def neighbours(reports: list[str]) -> list[TextPair]:
    """Report i as the reference and report i + 1 as the prediction, the first one again after the last."""
    return list(zip(reports, [*reports[1:], *reports[:1]], strict=True))


def ct_pairs() -> list[TextPair]:
    """The CT reports of gold/ and the generated ones, paired within their files."""
    gold = [
        [record["text"] for record in records(path) if record["modality"] == "CT"]
        for path in sorted(HERE.joinpath("gold").glob("dev_*.jsonl"))
    ]
    generated = [record["report"] for record in records(HERE / "data" / "synthrad_ct.jsonl")]
    return [pair for reports in [*gold, generated] for pair in neighbours(reports)]


def xray_pairs() -> list[TextPair]:
    """The chest radiograph reports written for this project."""
    return neighbours([record["report"] for record in records(HERE / "data" / "xray_own.jsonl")])


def local_pairs(path: Path) -> list[TextPair]:
    """Reports that stay where they are, as `report` or `text`, or as `findings` and `impression`; or ready
    pairs of `reference` and `prediction` (or `candidate`)."""
    rows = list(records(path))
    if rows and "reference" in rows[0]:
        return [(row["reference"], row.get("prediction") or row["candidate"]) for row in rows]
    return neighbours([text for row in rows if (text := _text(row))])


def _text(row: dict[str, Any]) -> str:
    if whole := row.get("report") or row.get("text"):
        return str(whole)
    parts = ((name.upper(), row.get(name)) for name in ("findings", "impression"))
    return "\n".join(f"{name}: {text}" for name, text in parts if text)
