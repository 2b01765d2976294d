"""Facts as an LLM is shown them: an id each, and what they say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cabs.values import Fact


def listed(facts: Sequence[Fact], letter: str, *, sections: bool = False) -> list[dict[str, Any]]:
    """One object a fact, with the ids `R1`, `R2`, ... for the letter R; `sections`: tell the section too."""
    return [{"id": f"{letter}{n}", **_said(fact, sections)} for n, fact in enumerate(facts, 1)]


def lines(items: Sequence[dict[str, Any]]) -> str:
    """The objects as JSON, one a line; "(none)" for none."""
    return "\n".join(json.dumps(item, ensure_ascii=False) for item in items) or "(none)"


def _said(fact: Fact, sections: bool) -> dict[str, Any]:
    said: dict[str, Any] = {"name": fact.name, "organ": fact.organ or "unknown"}
    if sections:
        said["section"] = fact.section
    said["location"] = fact.location.text or ", ".join(fact.location.ids)
    said["side"] = fact.side or "unstated"
    said["attributes"] = [f"{a.kind}: {a.text or a.value or ''}" for a in fact.attributes]
    said["certainty"] = fact.certainty
    return said
