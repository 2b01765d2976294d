"""Long runs go on where an earlier one stopped: portions that a journal holds are taken from it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from cabs.io.journal import Journal
from cabs.scoring.judge import Plan
from cabs.scoring.portion import Portion, unpacked
from cabs.scoring.source import Source


def resumed(source: Source, plan: Plan, journal: Journal | None) -> Generator[Portion, None, None]:
    """The portions of all pairs in their order: from the journal as long as it has the same pairs, then judged and
    written to it. Without a journal all are judged."""
    if journal is not None:
        yield from _known(source, journal)
    with closing(source.portions(plan)) as found:
        for portion in found:
            if journal is not None:
                journal.add(portion.packed(), portion.pairs)
            yield portion


def _known(source: Source, journal: Journal) -> Generator[Portion, None, None]:
    for portion in map(unpacked, journal.entries()):
        if not source.passes(portion):
            journal.drop()
            return
        yield portion
