"""Long runs go on where an earlier one stopped: portions that a journal holds are taken from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing

from cabs.io.journal import Journal
from cabs.scoring.judge import Plan
from cabs.scoring.portion import Portion, keys_of, unpacked
from cabs.scoring.source import Here, Source
from cabs.values import Pair


def resumed(source: Source, plan: Plan, journal: Journal | None) -> Generator[Portion, None, None]:
    """The portions of all pairs in their order: those that a journal has, and the others judged and written to it.
    Without a journal all are judged."""
    if journal is not None and plan.waits and isinstance(source, Here):
        yield from _asked(source, plan, journal)
        return
    if journal is not None:
        yield from _known(source, journal)
    with closing(source.portions(plan)) as found:
        for portion in found:
            if journal is not None:
                journal.add(portion.packed(), portion.pairs)
            yield portion


def _known(source: Source, journal: Journal) -> Generator[Portion, None, None]:
    """What the journal has, as long as it has the same pairs."""
    for portion in map(unpacked, journal.entries()):
        if not source.passes(portion):
            journal.drop()
            return
        yield portion


def _asked(source: Here, plan: Plan, journal: Journal) -> Generator[Portion, None, None]:
    """Portions of one pair each, as a plan that waits for others makes them: no answer that came is asked for again,
    whichever pairs are new; what failed in passing is not written, so that a run that goes on tries it again."""
    known = {portion.keys: portion for portion in map(unpacked, journal.entries())}
    order: deque[Portion | None] = deque()

    def todo() -> Iterator[Pair]:
        for pair in source.rest:
            order.append(known.pop(keys_of([pair]), None))
            if order[-1] is None:
                yield pair

    with closing(Here(todo()).portions(plan)) as found:
        for portion in found:
            while (before := order.popleft()) is not None:
                yield before
            if not portion.passing:
                journal.add(portion.packed(), portion.pairs)
            yield portion
    yield from filter(None, order)
