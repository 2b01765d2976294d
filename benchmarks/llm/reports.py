"""Reports to ask about: as many different ones as are wanted, made of shipped ones and a line that tells them apart."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.corpora import ct_pairs


def reports(n: int) -> list[str]:
    """So many different reports."""
    texts = [text for text, _ in ct_pairs()]
    return [f"{texts[i % len(texts)]}\nImage {i}." for i in range(n)]


def write_reports(path: Path, n: int) -> list[str]:
    """Write them as JSON Lines for `cabs parse`."""
    made = reports(n)
    lines = [json.dumps({"id": str(i), "report": text}) for i, text in enumerate(made)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return made
