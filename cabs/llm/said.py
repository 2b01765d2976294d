"""The text of an answer → the one JSON object in it, or the reason why there is none.

Tolerant of what stands around it (thoughts, fences, prose), of nothing inside it: an object that is cut, comes twice,
or says a name twice is refused, since to mend it would be to guess.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cabs.llm.failure import RefusedError

LONGEST = 1_000_000
"""Characters of an answer that are looked at; a longer one is refused."""
_TRIES = 200
"""Braces at which an object may begin; prose has few."""
_THOUGHT = re.compile(r"(?s)\A\s*<think(?:ing)?>.*?</think(?:ing)?>")


def object_in(text: str, names: frozenset[str]) -> dict[str, Any]:
    """The one object of an answer that has these names at its top.

    Raises:
        RefusedError: there is none, there are several, or it is no proper JSON.
    """
    if len(text) > LONGEST:
        raise RefusedError(f"it has more than {LONGEST} characters")
    text = _THOUGHT.sub("", text)
    if not text.strip():
        raise RefusedError("it is empty")
    found = [value for value in _objects(text) if names <= value.keys()]
    if len(found) != 1:
        raise RefusedError(f"it holds {len(found)} objects with {', '.join(sorted(names))}")
    return found[0]


def _objects(text: str) -> list[dict[str, Any]]:
    """The objects at the top of a text, one behind another."""
    found: list[dict[str, Any]] = []
    at, tries = text.find("{"), 0
    while at >= 0 and tries < _TRIES:
        tries += 1
        try:
            value, end = _DECODER.raw_decode(text, at)
        except RecursionError:
            raise RefusedError("it is nested too deeply") from None
        except ValueError:  # no JSON, or a number of too many digits
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise RefusedError("it says a name twice")
    return made


def _constant(name: str) -> Any:
    raise RefusedError(f"it holds {name}, which is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant)
