"""φ as a picture: every metric with its interval, and by type of error."""

from __future__ import annotations

from typing import Any

from cabs.metrics.estimates import Estimate
from cabs.studies.canvas import Picture, drawing, picture, sheet
from cabs.studies.counterfactual.edits import TYPES
from cabs.studies.counterfactual.result import MetricPhi, Part

BLIND = 0.5
COLOURS = {"clinical": "#1b7837", "surface": "#762a83", "embedding": "#2166ac"}
OTHER_COLOUR, FAINT = "#555555", "#999999"


def draw(part: Part) -> Picture:
    """The ladders of a study as a picture.

    Raises:
        ImportError: matplotlib isn't installed; `canvas.NEEDS` tells before.
    """
    metrics = _ordered(part)
    with drawing():
        figure, (left, right) = sheet(13, 1.9 + 0.42 * len(metrics), panels=2, widths=(1, 1.75))
        right.sharey(left)
        _dots(left, metrics)
        image = _cells(right, metrics)
        figure.colorbar(image, ax=right, label="φ, 0 against 1 error (0.5: blind)", pad=0.02)
        figure.suptitle(f"{part.groups} references, {part.variants} variants", fontsize=10)
        return picture(figure)


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
