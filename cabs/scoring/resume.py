"""Long runs go on where an earlier one stopped: outcomes that a journal holds are taken from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from hashlib import blake2b

from cabs.io.journal import Journal
from cabs.scoring.outcome import Outcome, from_json
from cabs.values import Pair


def key_of(pair: Pair) -> str:
    """A hash of everything in a pair that can show in its outcome."""
    content = (pair.id, pair.system, pair.cluster, pair.reference, pair.prediction, pair.extra)
    return blake2b(repr(content).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def resumed(
    pairs: Iterable[Pair], journal: Journal, judge: Callable[[Iterable[Pair]], Iterator[Outcome]]
) -> Generator[Outcome, None, None]:
    """The outcomes of all pairs in their order: from the journal where it has them, else judged and written
    to it."""
    order: deque[tuple[str, bool]] = deque()

    def todo() -> Iterator[Pair]:
        for pair in pairs:
            key = key_of(pair)
            known = key in journal
            order.append((key, known))
            if not known:
                yield pair

    for outcome in judge(todo()):
        yield from _known(order, journal)
        key = order.popleft()[0]
        if not outcome.passing:  # what may go well later is tried again by a run that goes on
            journal.add(key, outcome.to_json())
        yield outcome
    yield from _known(order, journal)


def _known(order: deque[tuple[str, bool]], journal: Journal) -> Iterator[Outcome]:
    while order and order[0][1]:
        yield from_json(journal.get(order.popleft()[0]))
