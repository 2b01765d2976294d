"""What fills the templates: every value is escaped, and nothing that is missing passes in silence."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from cabs.leaderboard.plain import shown

HERE = Path(__file__).parent

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"
)
"""The content security policy of a page: scripts and styles of its own folder or with a known hash, no requests, no
frames, nothing inline."""

OWN = POLICY.format(script="'self'", style="'self'")


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["shown"] = shown
    return made


def rendered(template: str, **values: Any) -> str:
    """The page that a template makes of values."""
    return str(_environment().get_template(template).render(**values))


def asset(name: str) -> str:
    """The source of a style or a script."""
    return (HERE / "assets" / name).read_text(encoding="utf-8")
