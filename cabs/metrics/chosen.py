"""The metrics of one study: names of registered ones, and columns of scores that were made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabs.errors import SettingError
from cabs.metrics.baselines.external import ScoreFile, column_metric, read_scores
from cabs.metrics.definitions import NAMES
from cabs.metrics.pair_metric import PairMetric
from cabs.metrics.registered import METRICS, pair_metric

if TYPE_CHECKING:
    from cabs.ontology import Ontology


def chosen_metrics(
    names: Iterable[str],
    columns: Sequence[str] = (),
    scores: ScoreFile | str | Path | None = None,
    ontology: Ontology | None = None,
) -> list[PairMetric]:
    """Registered metrics by name (`rouge_l`, `embedding:model=DIR`), then columns (`green:higher:clinical`,
    `radcliq=RadCliQ-v1:lower:clinical`) of a file of scores or, without one, of the pairs themselves. CABS's own read
    with `ontology` (None: the one that comes with CABS).

    Raises:
        SettingError: a name, an option or a column can't be understood, or comes twice, or there is a file of scores
            and no column; InputError: the file of scores can't be read; MissingExtraError: a metric needs what isn't
            installed.
    """
    if scores is not None and not columns:
        hint = "name the columns to take with --column NAME[=COLUMN]:higher|lower:FAMILY"
        raise SettingError("no column of the file is asked for", place="--scores", hint=hint)
    file = read_scores(Path(scores)) if isinstance(scores, str | Path) else scores
    found = [named_metric(name, ontology) for name in names]
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


def named_metric(spelled: str, ontology: Ontology | None = None, **options: Any) -> PairMetric:
    """A registered metric by its name and options (see `pair_metric`); one of CABS's own reads with `ontology`.

    Raises:
        SettingError: there is no such metric or option.
    """
    if ontology is not None and spelled.partition(":")[0] in NAMES:
        options["ontology"] = ontology
    return pair_metric(spelled, **options)
