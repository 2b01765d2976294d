"""Systems → the rank plot: rank by words against rank by facts, the hallucination corner marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cabs.studies.canvas import GREY, INK, PALE, sheet
from cabs.studies.correlation.result import CLINICAL, Correlation, SystemRow
from cabs.studies.correlation.shortened import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, CORNER, BROWN = "#0072b2", "#d55e00", "#fbe3d0", "#7a3500"
"""Okabe and Ito's blue and vermillion, which all kinds of colour vision tell apart; form tells them apart as well. The
corner, and what is written in it."""

LONGEST = 30
"""Characters of a system's name that are shown."""


def rankplot(result: Correlation) -> Figure | None:
    """One panel for each family beside the clinical one; None where there is nothing to hold against each other."""
    families = [f for f in result.against if any(_placed(system, f) for system in result.systems)]
    if not families or not result.real:
        return None
    shown = max(len([s for s in result.systems if _placed(s, family)]) for family in families)
    height = max(4.4, 0.24 * shown + 1.6)
    figure, panels = sheet(7.6 * len(families), height, panels=len(families))
    for axes, family in zip(panels, families, strict=True):
        _panel(axes, result, family)
    return figure


def _placed(system: SystemRow, family: str) -> bool:
    return system.ranks[family].value is not None and system.ranks[CLINICAL].value is not None


def _panel(axes: Axes, result: Correlation, family: str) -> None:
    size = len(result.real)
    middle = (size + 1) / 2
    worst, best = size + 0.75, 0.25
    axes.fill_between([middle, best], worst, middle, color=CORNER, linewidth=0, zorder=0)
    axes.plot([worst, best], [worst, best], color=PALE, linewidth=1, zorder=1)
    under = {"facecolor": CORNER, "linewidth": 0, "pad": 1.0}  # lines to names don't cross the words
    corner = f"hallucination corner:\n{family} rank high,\nclinical rank low"
    axes.text(
        middle - size * 0.015,
        worst - size * 0.015,
        corner,
        ha="left",
        va="bottom",
        fontsize=7.5,
        color=BROWN,
        zorder=8,
        bbox=under,
    )
    placed = [system for system in result.systems if _placed(system, family)]
    for system in placed:
        _mark(axes, system, family)
    _names(axes, placed, family, size)
    axes.set_xlim(worst, best)
    axes.set_ylim(worst, best)
    ticks = _ticks(size)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.set_box_aspect(1)
    axes.set_xlabel(f"mean rank by {family} metrics (1: best, to the right)")
    axes.set_ylabel(f"mean rank by {CLINICAL} metrics (1: best, at the top)")
    _key(axes, placed)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _key(axes: Axes, systems: list[SystemRow]) -> None:
    """What the marks are."""
    from matplotlib.lines import Line2D

    intervals = any(system.ranks[CLINICAL].interval for system in systems)
    label = f"system{' and its interval' if intervals else ''}"
    marks = [Line2D([], [], color=BLUE, marker="o", markersize=6.5, linewidth=1 if intervals else 0, label=label)]
    if any(system.control for system in systems):
        hollow: Any = {"marker": "D", "markersize": 8, "mfc": "none", "mec": ORANGE, "mew": 1.4, "linewidth": 0}
        marks.append(Line2D([], [], label="control (not ranked among systems)", **hollow))
    axes.legend(handles=marks, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=2, frameon=False, fontsize=8)


def _ticks(size: int) -> list[int]:
    step = max(1, -(-size // 12))
    return list(range(1, size + 1, step))


def _mark(axes: Axes, system: SystemRow, family: str) -> None:
    """A point with its intervals; controls are hollow diamonds without, wide enough to be seen around a point."""
    x, y = system.ranks[family], system.ranks[CLINICAL]
    assert x.value is not None
    assert y.value is not None
    if system.control:
        axes.plot(x.value, y.value, marker="D", markersize=8, mfc="none", mec=ORANGE, mew=1.4, zorder=7, clip_on=False)
        return
    if x.interval is not None:
        axes.plot([x.interval.low, x.interval.high], [y.value] * 2, color=BLUE, linewidth=1, alpha=0.6, zorder=3)
    if y.interval is not None:
        axes.plot([x.value] * 2, [y.interval.low, y.interval.high], color=BLUE, linewidth=1, alpha=0.6, zorder=3)
    axes.plot(x.value, y.value, marker="o", markersize=6.5, color=BLUE, zorder=6, clip_on=False)


def _names(axes: Axes, systems: list[SystemRow], family: str, size: int) -> None:
    """Names in a column at the right, in the order of the points, each with a line to its point: they never overlap."""
    ordered = sorted(systems, key=lambda s: (s.ranks[CLINICAL].value or 0.0, s.ranks[family].value or 0.0, s.label))
    top, bottom = 0.25, size + 0.75
    step = (bottom - top) / max(len(ordered), 1)
    column = 0.25 - size * 0.06
    for at, system in enumerate(ordered):
        y = top + (at + 0.5) * step
        point = (system.ranks[family].value or 0.0, system.ranks[CLINICAL].value or 0.0)
        line = axes.plot(
            [point[0], column + size * 0.015], [point[1], y], color=GREY, linewidth=0.5, alpha=0.7, zorder=2
        )
        line[0].set_clip_on(False)
        name = shortened(system.label, LONGEST)
        style = "italic" if system.control else "normal"
        axes.text(column, y, name, ha="left", va="center", fontsize=8, color=INK, style=style, clip_on=False)
