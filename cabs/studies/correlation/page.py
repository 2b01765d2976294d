"""A study → one HTML page that needs nothing else: style and figures are in it, and every word is escaped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cabs.metrics.estimates import Estimate
from cabs.studies.correlation.result import Correlation, Level, SystemRow

TEMPLATE = "page.html.j2"
LEVELS: dict[str, str] = {
    "systems": "over systems",
    "with_controls": "over systems and controls",
    "reports": "over reports, within systems",
}
"""The levels, as pages and tables call them."""

CAPTIONS = {
    "ranks": "Mean rank by clinical metrics against mean rank by the others, among the real systems; 1 is the best. "
    "Lines are bootstrap intervals. Controls are placed between the systems, from better than all to worse than all.",
    "heatmap_systems": "Spearman over the real systems, on all reports. Frames: families.",
    "heatmap_with_controls": "The same with the controls among the systems: the reference and the empty report stand "
    "at the two ends of every metric, so that any two metrics agree better.",
    "heatmap_reports": "Spearman over the reports of a system, mean of the systems.",
}


def page(result: Correlation, figures: Mapping[str, bytes], *, text: bool = True) -> str:
    """The page; `figures`: SVG by name. With `text` False no word of a report is on it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["bounds"] = bounds
    return environment.get_template(TEMPLATE).render(_content(result, figures, text))


def _content(result: Correlation, figures: Mapping[str, bytes], text: bool) -> dict[str, Any]:
    return {
        "result": result,
        "levels": [(LEVELS[name], level) for name, level in result.levels.items()],
        "figures": [(b64encode(svg).decode("ascii"), CAPTIONS[name]) for name, svg in figures.items()],
        "sentences": summary(result),
        "examples": result.examples if text else (),
    }


def number(value: float | None, decimals: int = 3) -> str:
    """A number for a table: a true minus, a dash where it is undefined.

    >>> number(-0.5), number(None)
    ('−0.500', '–')
    """
    return "–" if value is None else f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def bounds(estimate: Estimate, decimals: int = 3) -> str:
    """The bounds of an interval, "" where there is none."""
    found = estimate.interval
    return "" if found is None else f"[{number(found.low, decimals)}, {number(found.high, decimals)}]"


def summary(result: Correlation) -> list[str]:
    """What the study shows, in sentences made of its numbers."""
    found = [_told(LEVELS[name], result.levels[name]) for name in ("systems", "reports")]
    for family in result.against:
        inside = [system for system in result.systems if system.corner[family]]
        found.append(_corner(family, [_named(s, family) for s in inside if not s.control], "systems"))
        if any(system.control for system in result.systems):
            found.append(_corner(family, [s.label for s in inside if s.control], "controls"))
    return [sentence for sentence in found if sentence]


def _told(what: str, level: Level) -> str:
    if level.within.value is None or level.across.value is None:
        return f"{what.capitalize()} there is nothing to hold against each other."
    within, across = (f"{number(e.value, 2)} {bounds(e, 2)}".strip() for e in (level.within, level.across))
    return (
        f"{what.capitalize()} metrics of one family correlate by {within} on average, metrics of different families "
        f"by {across}."
    )


def _named(system: SystemRow, family: str) -> str:
    share = system.in_corner[family]
    return system.label if share is None else f"{system.label} (in {share:.0%} of draws)"


def _corner(family: str, names: Sequence[str], what: str) -> str:
    where = f"the hallucination corner ({family} rank in the better half, clinical rank in the worse)"
    return f"{what.capitalize()} in {where}: {', '.join(names) if names else 'none'}."
