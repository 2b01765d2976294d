"""φ as a picture: every metric with its interval, and by type of error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cabs.io.output import writing
from cabs.studies.counterfactual.edits import TYPES
from cabs.studies.counterfactual.result import MetricPhi, Part
from cabs.studies.estimates import Estimate

BLIND = 0.5
DOTS_PER_INCH = 150
COLOURS = {"clinical": "#1b7837", "surface": "#762a83", "embedding": "#2166ac"}
OTHER_COLOUR, FAINT = "#555555", "#999999"
SALT = "cabs"
"""Of the names inside the SVG, so that the same study gives the same bytes."""


def draw(part: Part, *paths: Path) -> None:
    """Draw the ladders of a study to files, each in the format that its ending names (.png, .svg).

    Raises:
        OutputError: a file can't be written.
    """
    import matplotlib
    from matplotlib.figure import Figure

    metrics = _ordered(part)
    with matplotlib.rc_context({"svg.hashsalt": SALT, "font.size": 9}):
        figure = Figure(figsize=(13, 1.9 + 0.42 * len(metrics)), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.75), sharey=True)
        _dots(left, metrics)
        image = _cells(right, metrics)
        figure.colorbar(image, ax=right, label="φ, 0 against 1 error (0.5: blind)", pad=0.02)
        figure.suptitle(f"{part.groups} references, {part.variants} variants", fontsize=10)
        for path in paths:
            with writing(path):
                figure.savefig(path, dpi=DOTS_PER_INCH, metadata=_undated(path))


def _undated(path: Path) -> dict[str, Any]:
    return {"Date": None} if path.suffix == ".svg" else {"Software": None}


def _ordered(part: Part) -> list[MetricPhi]:
    """Metrics by family and φ, the best first."""

    def best(metric: MetricPhi) -> float:
        return metric.phi[metric.answers].value or 0.0

    families = sorted(
        {m.family for m in part.metrics}, key=lambda f: -max(best(m) for m in part.metrics if m.family == f)
    )
    return sorted(part.metrics, key=lambda m: (families.index(m.family), -best(m)))


def _dots(axes: Any, metrics: list[MetricPhi]) -> None:
    for row, metric in enumerate(metrics):
        colour = COLOURS.get(metric.family, OTHER_COLOUR)
        estimate, clean = metric.phi[metric.answers], metric.clean[metric.answers]
        if clean.value is not None:
            axes.plot(clean.value, row, "o", mfc="white", mec=colour, ms=5, zorder=2)
        _dot(axes, row, estimate, colour)
    axes.plot([], [], "o", color=FAINT, ms=6, label="reworded, with interval")
    axes.plot([], [], "o", mfc="white", mec=FAINT, ms=5, label="clean")
    axes.axvline(BLIND, color=FAINT, lw=0.8, ls=":")
    axes.set_yticks(range(len(metrics)), [_name(metric) for metric in metrics])
    axes.set_xlim(0.4, 1.02)
    axes.set_xlabel("φ over all pairs of unequal Text-Rank\n(errors of the types that the metric answers for)")
    axes.grid(axis="x", color="#e5e5e5", lw=0.6)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=8, frameon=False)


def _dot(axes: Any, row: int, estimate: Estimate, colour: str) -> None:
    if estimate.value is None:
        return
    if estimate.interval is not None:
        axes.plot([estimate.interval.low, estimate.interval.high], [row, row], color=colour, lw=2, zorder=3)
    axes.plot(estimate.value, row, "o", color=colour, ms=6, zorder=4)


def _name(metric: MetricPhi) -> str:
    return f"{metric.label}\n(identity)" if metric.answers != "all" else metric.label


def _cells(axes: Any, metrics: list[MetricPhi]) -> Any:
    import numpy as np

    columns = [t for t in TYPES if any(m.phi[f"type {t}"].n for m in metrics)]
    found = [[m.phi[f"type {t}"] for t in columns] for m in metrics]
    values = np.array([[np.nan if e.value is None else e.value for e in row] for row in found], dtype=np.float64)
    image = axes.imshow(values, cmap="PiYG", vmin=0, vmax=1, aspect="auto")
    for row, cells in enumerate(values):
        for column, value in enumerate(cells):
            colour = "white" if abs(value - BLIND) > 0.42 else "black"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8, color=colour)
    pairs = [found[0][at].n for at in range(len(columns))]
    axes.set_xticks(range(len(columns)), [f"{t}\nn={n}" for t, n in zip(columns, pairs, strict=True)], fontsize=8)
    axes.tick_params(labelleft=False, length=0)
    return image
