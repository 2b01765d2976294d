"""The metrics of one study: names of registered ones, and columns of scores that were made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cabs.errors import SettingError
from cabs.metrics.baselines.external import ScoreFile, column_metric, read_scores
from cabs.metrics.pair_metric import PairMetric
from cabs.metrics.registered import METRICS, pair_metric


def chosen_metrics(
    names: Iterable[str], columns: Iterable[str] = (), scores: ScoreFile | str | Path | None = None
) -> list[PairMetric]:
    """Registered metrics by name (`rouge_l`, `embedding:model=DIR`), then columns (`green:higher:clinical`,
    `radcliq=RadCliQ-v1:lower:clinical`) of a file of scores or, without one, of the pairs themselves.

    Raises:
        SettingError: a name, an option or a column can't be understood, or comes twice; InputError: the file of scores
            can't be read; MissingExtraError: a metric needs what isn't installed.
    """
    file = read_scores(Path(scores)) if isinstance(scores, str | Path) else scores
    found = [pair_metric(name) for name in names]
    for metric in found:
        metric.needs.check(f"metric {metric.name!r}")
    found += [column_metric(column, file) for column in columns]
    taken: set[str] = set()
    for metric in found:
        external = metric.package == "column"
        if metric.name in taken or (external and metric.name in METRICS.names):
            hint = f"name the column otherwise: NAME={metric.name}:..." if external else "name it once"
            raise SettingError(f"{metric.name!r} is a metric already", place="metrics", hint=hint)
        taken.add(metric.name)
    return found
