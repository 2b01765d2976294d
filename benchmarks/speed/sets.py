"""The sets of pairs that are timed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.big.pairs import bank, reports
from benchmarks.corpora import TextPair, ct_pairs, local_pairs

MADE = 2000
"""Pairs of chest radiographs that are made."""

TITLES: Mapping[str, str] = {
    "ct": "CT, each report as a reference and as a prediction",
    "ct_once": "CT, each report once",
    "xray": "chest radiographs, reworded",
    "xray_local": "chest radiographs (IU X-ray, not shipped)",
}


def shipped() -> dict[str, list[TextPair]]:
    """The sets that come with the project. In `ct` every text stands in two pairs and is read once; in `ct_once` CABS
    can remember no text, only sentences."""
    ct = ct_pairs()
    return {"ct": ct, "ct_once": _once(ct), "xray": list(reports(bank(), MADE))}


def _once(pairs: list[TextPair]) -> list[TextPair]:
    seen: set[str] = set()
    found = []
    for pair in pairs:
        if seen.isdisjoint(pair):
            seen.update(pair)
            found.append(pair)
    return found


def local(path: Path | None) -> dict[str, list[TextPair]]:
    """The set of a file that can't be shipped."""
    return {"xray_local": local_pairs(path)} if path else {}
