"""The tables of README.md that are made from the program and the stored results, never typed."""

from __future__ import annotations

import re

from benchmarks import accuracy, speed, store
from benchmarks.accuracy import markdown
from cabs.metrics.definitions import metrics


def definitions() -> str:
    """Every metric as the program computes it."""
    rows = [[f"`{metric.name}`", metric.label, metric.definition] for metric in metrics().values()]
    return markdown([["name", "label", "definition"], ["---"] * 3, *rows])


TABLES = {
    "metrics": definitions,
    "accuracy": lambda: accuracy.summary(store.load("accuracy")["files"]),
    "speed": lambda: speed.summary(store.load("speed")),
}


def with_figures(page: str) -> str:
    """A page with every `<!-- figures: NAME -->` ... `<!-- end -->` part made anew."""

    def part(match: re.Match[str]) -> str:
        return f"<!-- figures: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- figures: (\w+) -->\n.*?<!-- end -->", part, page, flags=re.S)
