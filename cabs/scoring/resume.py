"""Long runs go on where an earlier one stopped: portions that a journal holds are taken from it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice

from cabs.io.journal import Journal
from cabs.scoring.portion import Portion, keys_of, unpacked
from cabs.values import Pair


def resumed(
    pairs: Iterable[Pair], journal: Journal, judge: Callable[[Iterable[Pair]], Generator[Portion, None, None]]
) -> Generator[Portion, None, None]:
    """The portions of all pairs in their order: from the journal as long as it has the same pairs, then judged and
    written to it."""
    rest = iter(pairs)
    for portion in map(unpacked, journal.entries()):
        taken = list(islice(rest, portion.pairs))
        if keys_of(taken) != portion.keys:
            journal.drop()
            rest = chain(taken, rest)
            break
        yield portion
    yield from _judged(rest, journal, judge)


def _judged(
    pairs: Iterator[Pair], journal: Journal, judge: Callable[[Iterable[Pair]], Generator[Portion, None, None]]
) -> Generator[Portion, None, None]:
    with closing(judge(pairs)) as found:
        for portion in found:
            journal.add(portion.packed(), portion.pairs)
            yield portion
