"""`make golden`: record the digests of what the shipped examples give today."""

from __future__ import annotations

import json

from cabs.cli.demo import PAIRS
from cabs.ontology import load_ontology
from cabs.scoring.digests import GOLDEN, digests


def main() -> None:
    """Write them beside the demo's pairs."""
    page = json.dumps(digests(PAIRS, load_ontology()), indent=2) + "\n"
    GOLDEN.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
