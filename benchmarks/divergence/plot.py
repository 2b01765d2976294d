"""The stored curves as a picture: a panel a metric, a line a reward, a band from the least to the greatest seed."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from benchmarks.divergence.page import COLUMNS
from cabs.studies.canvas import Picture, drawing, picture, sheet

PANELS = ("f1", "precision", "recall", "fc_f1", "organ_coverage", "rouge_l")
COLOURS = ("#1b7837", "#7fbf7b", "#2166ac", "#762a83", "#b2182b", "#e08214", "#4d4d4d", "#999999")
"""Of the rewards in the order of the plan; each has a dash of its own as well."""
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))


def draw(stored: Mapping[str, Any]) -> Picture:
    """Every panel over the steps of training.

    Raises:
        ImportError: matplotlib isn't installed.
    """
    with drawing():
        figure, axes = sheet(11, 6.4, panels=len(PANELS), rows=2)
        for panel, metric in zip(axes, PANELS, strict=True):
            for at, (label, curve) in enumerate(stored["curves"].items()):
                _line(panel, curve, metric, label, at)
            panel.set_title(COLUMNS[metric])
            panel.set_xlabel("steps of GRPO")
            panel.grid(color="#e5e5e5", lw=0.6)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=9, frameon=False)
        return picture(figure)


def _line(panel: Any, curve: Mapping[str, Any], metric: str, label: str, at: int) -> None:
    steps = sorted(curve, key=int)
    values = [curve[step][metric] for step in steps]
    xs = [int(step) for step in steps]
    colour, dash = COLOURS[at % len(COLOURS)], DASHES[at % len(DASHES)]
    panel.plot(xs, [fmean(v) for v in values], color=colour, ls=dash, lw=1.6, label=label)
    panel.fill_between(xs, [min(v) for v in values], [max(v) for v in values], color=colour, alpha=0.12, lw=0)
