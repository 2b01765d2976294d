"""A study → its figures, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cabs.studies.canvas import Picture, drawing, picture
from cabs.studies.correlation.figures.heatmap import TITLES, heatmap
from cabs.studies.correlation.figures.rankplot import rankplot
from cabs.studies.correlation.result import Correlation

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def pictures(result: Correlation) -> Mapping[str, Picture]:
    """The rank plot (`ranks`) and a heat map for each level with a coefficient (`heatmap_systems` ...).

    Raises:
        ImportError: matplotlib isn't installed; `canvas.NEEDS` tells before.
    """
    with drawing():
        return {name: picture(f) for name, f in _figures(result)}


def _figures(result: Correlation) -> Iterator[tuple[str, Figure]]:
    ranks = rankplot(result)
    if ranks is not None:
        yield "ranks", ranks
    for name in TITLES:
        if any(rho.value is not None for rho in result.levels[name].pairs.values()):
            yield f"heatmap_{name}", heatmap(result, name)
