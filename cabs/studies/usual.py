"""The metrics that a study measures where none are named."""

from __future__ import annotations

from cabs.metrics.registered import pair_metric

USUAL = ("bleu_4", "rouge_l", "meteor", "chrf", "f1", "fc_f1", "weighted_f1", "cabs_score")
"""Words in common, then which findings are stated, how, and how much they weigh."""


def usual_metrics() -> tuple[list[str], list[str]]:
    """The names of those that can be measured here, and what is said of the others."""
    found: list[str] = []
    left_out: list[str] = []
    for name in USUAL:
        lacking = pair_metric(name).needs.missing()
        if lacking is None:
            found.append(name)
        else:
            left_out.append(f"{name} is left out, it needs {lacking[0]}: {lacking[1]}")
    return found, left_out
