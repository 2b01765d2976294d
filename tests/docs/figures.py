"""The tables of pages that are made from the program and the stored results, never typed."""

from __future__ import annotations

import re
from typing import Any

from benchmarks import correlation, pages, reward_speed, store
from benchmarks.bandit import page as bandit
from benchmarks.divergence import page as divergence
from benchmarks.fuzz.__main__ import page as fuzz
from benchmarks.llm.__main__ import summary as llm_summary
from benchmarks.speed import page as speed
from benchmarks.tables import markdown
from cabs.metrics.definitions import metrics


def definitions() -> str:
    """Every metric as the program computes it."""
    rows = [[f"`{metric.name}`", metric.label, metric.definition] for metric in metrics().values()]
    return markdown([["name", "label", "definition"], ["---"] * 3, *rows])


def stored(name: str, part: str) -> dict[str, Any]:
    """The stored figures of what is shipped, then those of local files."""
    return {**store.load(name)[part], **store.load(f"{name}-local")[part]}


TABLES = {
    "metrics": definitions,
    "accuracy": lambda: pages.summary(store.stored("accuracy"), store.stored("accuracy-local")),
    "checks": lambda: pages.checks(store.stored("accuracy"), store.stored("accuracy-local")),
    "unreached": lambda: pages.unreached(store.stored("accuracy"), store.stored("accuracy-local")),
    "wordings": lambda: pages.wordings(store.stored("accuracy")),
    "correlation": lambda: correlation.page(store.stored("correlation-local")),
    "bandit": lambda: bandit.page(store.load("bandit")),
    "divergence": lambda: divergence.page(store.load("divergence")),
    "fuzz": lambda: fuzz(store.load("fuzz")),
    "llm": lambda: llm_summary(store.load("llm")),
    "reward_speed": lambda: reward_speed.summary(store.load("reward-speed")),
    "speed": lambda: speed.sets(stored("speed", "sets")),
    "speed_cores": lambda: speed.on_cores(store.load("speed")["command"]),
}


def with_figures(page: str) -> str:
    """A page with every `<!-- figures: NAME -->` ... `<!-- end -->` part made anew."""

    def part(match: re.Match[str]) -> str:
        return f"<!-- figures: {match[1]} -->\n{TABLES[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- figures: (\w+) -->\n.*?<!-- end -->", part, page, flags=re.S)
