"""`cabs metrics`: what can be measured here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.metrics.pair_metric import PairMetric


def metrics(as_json: options.AsJson = False) -> None:
    """List every metric: CABS's own, the baselines, and those of other installed packages."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_metrics import metrics_table
    from cabs.errors import CabsError
    from cabs.io.jsontext import json_page
    from cabs.metrics.registered import METRICS, pair_metric

    found: list[PairMetric] = []
    faulty: list[str] = []
    for name in METRICS.names:
        try:
            found.append(pair_metric(name))
        except CabsError as error:
            faulty.append(str(error))
    if as_json:
        typer.echo(json_page({"metrics": [_row(metric) for metric in found], "faulty": faulty}), nl=False)
    else:
        console().print(metrics_table(found))
    for message in faulty:
        warn(message)


def _row(metric: PairMetric) -> dict[str, Any]:
    lacking = metric.needs.missing()
    return {
        "name": metric.name,
        "label": metric.label,
        "family": metric.family,
        "higher": metric.higher,
        "range": list(metric.range),
        "empty": {
            "reference": metric.empty.reference,
            "prediction": metric.empty.prediction,
            "both": metric.empty.both,
        },
        "independent": metric.independent,
        "package": metric.package,
        "available": lacking is None,
        "missing": None if lacking is None else lacking[0],
        "install": None if lacking is None else lacking[1],
        "signature": metric.signature,
    }
