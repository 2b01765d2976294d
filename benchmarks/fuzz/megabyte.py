"""Seconds of processor time for reports of a quarter of a megabyte and of one, of each unit repeated:
`python -m benchmarks.fuzz.megabyte`."""

from __future__ import annotations

import time

from benchmarks.fuzz.units import UNITS
from benchmarks.tables import table
from cabs.ontology import load_ontology
from cabs.parsing import RulesParser

SIZES = (250_000, 1_000_000)
"""Characters of a report."""


def main() -> None:
    """Print a line for each unit, and the range of all."""
    parser = RulesParser(load_ontology(), cached_sentences=1)
    parser.parse("Small effusion.")  # tables are filled at the first report
    rows = [(name, *(seconds(parser, unit * (size // len(unit))) for size in SIZES)) for name, unit in UNITS.items()]
    print(table(["unit", *map(str, SIZES)], rows))
    quarter, whole = zip(*(row[1:] for row in rows), strict=True)
    growths = [after / max(before, 1e-3) for before, after in zip(quarter, whole, strict=True)]
    print(f"{len(rows)} units: {min(whole):.1f} to {max(whole):.1f} s, {min(growths):.1f} to {max(growths):.1f} times")


def seconds(parser: RulesParser, text: str) -> float:
    """Seconds of processor time that a text takes."""
    begun = time.process_time()
    parser.parse(text)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
