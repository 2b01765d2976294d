"""A figure → the same bytes every time, as PNG and SVG, without a change to anyone's matplotlib settings."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cabs.metrics.needs import Needs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NEEDS = Needs("audit", (("matplotlib", "matplotlib"), ("jinja2", "jinja2")))
"""What figures need, and the page that shows them."""

Format = Literal["png", "svg"]
DPI = 160
INK, GREY, PALE = "#222222", "#666666", "#d0d0d0"
SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is everywhere
    "font.size": 9.0,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "path",
    "svg.hashsalt": "cabs",
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "text.parse_math": False,
}


@contextmanager
def drawing() -> Iterator[None]:
    """matplotlib's settings for these figures while the block runs, whatever the user's are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def sheet(
    width: float, height: float, *, panels: int = 1, rows: int = 1, widths: Sequence[float] | None = None
) -> tuple[Figure, list[Axes]]:
    """An empty figure of so many inches, with panels beside each other in so many rows, equally wide or as `widths`
    relate."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(rows, -(-panels // rows), width_ratios=widths)
    return figure, [figure.add_subplot(grid[at]) for at in range(panels)]


class Picture(NamedTuple):
    """A figure's bytes in both formats."""

    png: bytes
    svg: bytes


def picture(figure: Figure) -> Picture:
    """The bytes of a figure; they hold no date."""
    return Picture(_bytes(figure, "png"), _bytes(figure, "svg"))


def _bytes(figure: Figure, kind: Format) -> bytes:
    found = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(found, format=kind, dpi=DPI, metadata=metadata, bbox_inches="tight", pad_inches=0.12)
    return found.getvalue()
