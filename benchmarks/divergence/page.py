"""The stored figures as a Markdown table: the cold start, and what each reward has made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.divergence.figures import ends, told
from benchmarks.tables import markdown

COLUMNS = {
    "f1": "true F1",
    "precision": "precision",
    "recall": "recall",
    "fc_f1": "FC-F1",
    "organ_coverage": "organ coverage",
    "rouge_l": "ROUGE-L",
    "cabs_f1": "F1 as CABS reads it",
    "strange": "odd sentences",
}
"""Of texts that are drawn word by word, as the rewards see them."""
LIKELIEST = {"f1": "true F1, likeliest words", "fc_f1": "FC-F1, likeliest words"}


def page(stored: Mapping[str, Any]) -> str:
    """A row a reward, means over seeds with the least and the greatest; nothing where it was never run."""
    if not stored:
        return ""
    curves, start = stored["curves"], ends(next(iter(stored["curves"].values())))[0]
    rows = [_row("cold start", start, stored["cold start"])]
    rows += [
        _row(f"`{stored['rewards'][label]}`", ends(curve)[1], stored["likeliest"][label])
        for label, curve in curves.items()
    ]
    return markdown([head := ["reward", *COLUMNS.values(), *LIKELIEST.values()], ["---"] * len(head), *rows])


def _row(name: str, drawn: Mapping[str, Sequence[float]], likeliest: Mapping[str, Sequence[float]]) -> list[str]:
    cells = [told(drawn[column]) if column in drawn else "-" for column in COLUMNS]
    return [name, *cells, *(told(likeliest[column]) for column in LIKELIEST)]
