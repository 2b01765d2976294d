"""Who made a system, where it is told of, and under which licence: what a submission's file says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """`system`: the name on the board. The others are "" where unsaid; `paper` and `link` are web addresses."""

    system: str
    paper: str = ""
    link: str = ""
    licence: str = ""
    note: str = ""

    def to_json(self) -> dict[str, str]:
        """The same in JSON's own types."""
        return {name: getattr(self, name) for name in ("system", "paper", "link", "licence", "note")}
