"""Options of the commands that compare metrics, and what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cabs.metrics.pair_metric import PairMetric

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
Scores = Annotated[
    Path | None,
    typer.Option("--scores", metavar="FILE", help="Scores of other programs, by id and system."),
]


def chosen(
    metrics: list[str] | None, columns: list[str] | None, scores: Path | None, default: Sequence[str]
) -> list[PairMetric]:
    """The metrics that the options name, `default` where they name none; columns come besides.

    Raises:
        SettingError: a name or a column is unknown, or there is a file of scores and no column; MissingExtraError: a
            metric needs what isn't installed.
    """
    from cabs.errors import SettingError
    from cabs.metrics.chosen import chosen_metrics

    if scores is not None and not columns:
        hint = "name the columns to take with --column NAME[=COLUMN]:higher|lower:FAMILY"
        raise SettingError("no column of the file is asked for", place="--scores", hint=hint)
    return chosen_metrics(metrics or default, columns or (), scores)
