"""The metrics that a study measures where none are named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cabs.metrics.chosen import chosen_metrics
from cabs.metrics.pair_metric import PairMetric
from cabs.metrics.registered import pair_metric

USUAL = ("bleu_4", "rouge_l", "meteor", "chrf", "f1", "fc_f1", "weighted_f1", "cabs_score")
"""Words in common, then which findings are stated, how, and how much they weigh."""


def study_metrics(
    names: Sequence[str] | None, columns: Sequence[str] | None = None, scores: Path | None = None
) -> tuple[list[PairMetric], list[str]]:
    """The metrics of these names (None: the usual ones that are installed) and of these columns of scores, and what was
    left out, in words.

    Raises:
        SettingError, InputError, MissingExtraError: see `cabs.metrics.chosen.chosen_metrics`.
    """
    left_out: list[str] = []
    chosen = list(names or ())
    for name in () if names else USUAL:
        lacking = pair_metric(name).needs.missing()
        if lacking is None:
            chosen.append(name)
        else:
            left_out.append(f"{name} is left out, it needs {lacking[0]}: {lacking[1]}")
    return chosen_metrics(chosen, columns or (), scores), left_out
