"""A level → its heat map: every two metrics, ordered and framed by family."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from cabs.metrics.resample import Floats
from cabs.studies.canvas import GREY, INK, sheet
from cabs.studies.correlation.result import Correlation, LevelName

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = "RdBu"
"""Blue for agreement, red for the opposite: told apart by all kinds of colour vision."""
UNDEFINED = "#eeeeee"
MOST_NUMBERED = 26
"""More metrics than these have no number in their cells: it would be too small to read."""
TITLES: dict[LevelName, str] = {
    "systems": "Spearman over systems",
    "with_controls": "Spearman over systems and controls",
    "reports": "Spearman over reports, mean of systems",
}


def heatmap(result: Correlation, name: LevelName) -> Figure:
    """The heat map of a level. A cell without a coefficient is grey and holds a dash."""
    size = len(result.metrics)
    side = 2.4 + 0.42 * size
    figure, (axes,) = sheet(side + 0.9, side + 0.5)
    names = [metric.name for metric in result.metrics]
    level = result.levels[name]
    found = [[level.rho(a, b) for b in names] for a in names]
    values = np.array([[np.nan if rho is None else rho for rho in row] for row in found], dtype=np.float64)
    axes.set_facecolor(UNDEFINED)
    image = axes.imshow(values, cmap=COLOURS, vmin=-1, vmax=1)
    _numbers(axes, values)
    _labels(axes, result)
    _frames(axes, result)
    over = f"{len(result.real)} systems" if name == "systems" else f"{result.reports} reports each"
    over = f"{len(result.systems)} systems and controls" if name == "with_controls" else over
    axes.set_title(f"{TITLES[name]} ({over})", loc="left", fontsize=10, pad=10)
    bar: Any = figure.colorbar(image, ax=axes, shrink=0.7, pad=0.02, ticks=[-1, -0.5, 0, 0.5, 1])
    bar.outline.set_visible(False)
    return figure


def _numbers(axes: Axes, values: Floats) -> None:
    if len(values) > MOST_NUMBERED:
        return
    for row, column in np.ndindex(*values.shape):
        rho = float(values[row, column])
        text = "–" if np.isnan(rho) else number(rho)
        colour = "white" if abs(rho) > 0.62 else INK
        axes.text(column, row, text, ha="center", va="center", fontsize=6.5, color=colour)


def number(rho: float) -> str:
    """A coefficient with two decimals and a true minus; what rounds to zero has no sign.

    >>> number(-0.415), number(-0.004)
    ('−0.41', '0.00')
    """
    return f"{round(rho, 2) + 0.0:.2f}".replace("-", "−")


def _labels(axes: Axes, result: Correlation) -> None:
    labels = [metric.label for metric in result.metrics]
    at = range(len(labels))
    axes.set_xticks(at, labels, rotation=90)
    axes.set_yticks(at, labels)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _frames(axes: Axes, result: Correlation) -> None:
    """A frame around the block of each family, its name at the right."""
    from matplotlib.patches import Rectangle

    start, size = 0, len(result.metrics)
    for family, metrics in groupby(result.metrics, key=lambda metric: metric.family):
        n = len(list(metrics))
        corner = (start - 0.5, start - 0.5)
        axes.add_patch(Rectangle(corner, n, n, fill=False, edgecolor=INK, linewidth=1.6, clip_on=False))
        middle = start + n / 2 - 0.5
        axes.text(size - 0.3, middle, family, rotation=270, ha="left", va="center", fontsize=8, color=GREY)
        start += n
