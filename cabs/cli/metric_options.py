"""Options of the commands that compare metrics, and what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cabs.metrics.pair_metric import PairMetric
    from cabs.ontology import Ontology

Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric", metavar="NAME", help="A metric of `cabs metrics`, with options as NAME:KEY=VALUE; repeatable."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME[=COLUMN]:higher|lower:FAMILY",
        help="A metric of another program: a column of --scores, or of the pairs; repeatable.",
    ),
]
USUAL = ("bleu_4", "rouge_l", "meteor", "chrf", "f1", "fc_f1", "weighted_f1", "cabs_score")
"""Words in common, then which findings are stated, how, and how much they weigh: what probes and people are asked about
unless the user names others."""

Scores = Annotated[
    Path | None,
    typer.Option("--scores", metavar="FILE", help="Scores of other programs, by id and system."),
]


def chosen(
    metrics: list[str] | None,
    usual: Sequence[str],
    ontology: Ontology,
    columns: list[str] | None = None,
    scores: Path | None = None,
) -> list[PairMetric]:
    """The metrics that the options name; where they name none, those of the `usual` ones that can be measured here,
    with a warning for each of the others. Columns come besides.

    Raises:
        SettingError: a name or a column is unknown, or there is a file of scores and no column; MissingExtraError: a
            metric that was named needs what isn't installed.
    """
    from cabs.cli.door import warn
    from cabs.metrics.chosen import chosen_metrics
    from cabs.metrics.registered import pair_metric

    names = list(metrics or usual)
    for name in [] if metrics else usual:
        if (lacking := pair_metric(name).needs.missing()) is not None:
            names.remove(name)
            warn(f"{name} is left out, it needs {lacking[0]}: {lacking[1]}")
    return chosen_metrics(names, columns or (), scores, ontology)
