"""What fuzzing has tried, from its stored record, as it is on the day the site is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks import store
from benchmarks.tables import markdown

PLACE = "<!-- made: fuzz -->"


def filled(page: str) -> str:
    """A page with the record in its place."""
    return page.replace(PLACE, told(store.stored("fuzz"))) if PLACE in page else page


def told(record: Mapping[str, Any]) -> str:
    """The record as a table; a sentence where there is none.

    >>> told({})
    'No record of it is stored in this version.'
    """
    if not record:
        return "No record of it is stored in this version."
    rows = [[name, f"{did['inputs']:,}", f"{did['cpu_minutes']:.1f}"] for name, did in record["targets"].items()]
    total = ["**all**", f"{record['inputs']:,.0f}", f"{record['cpu_minutes']:.1f}"]
    table = markdown([["what reads", "inputs tried", "CPU minutes"], ["---"] * 3, *rows, total])
    return f"{table}\n\nCABS {record['signature']['cabs']}, ontology {record['signature']['ontology']}."
