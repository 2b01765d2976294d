"""Where the portions of a run come from: pairs in their order, and who judges them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

from cabs.scoring.backends import ahead
from cabs.scoring.judge import Plan
from cabs.scoring.portion import Portion, keys_of, portions
from cabs.values import Pair


class Source(Protocol):
    """Pairs and an engine that judges them."""

    def passes(self, portion: Portion) -> bool:
        """Pass over the next pairs if they are those of a portion that was made before; else over none."""

    def portions(self, plan: Plan) -> Generator[Portion, None, None]:
        """The portions of all pairs that were not passed over, in their order.

        Raises:
            CabsError: what reading the pairs raises, or who judges them is gone.
        """


class Here:
    """Pairs that are judged on this machine, by so many processes."""

    def __init__(self, pairs: Iterable[Pair], workers: int = 1) -> None:
        self.rest: Iterator[Pair] = iter(pairs)
        self.workers = workers

    def passes(self, portion: Portion) -> bool:
        """Pass over the next pairs if they are those of the portion."""
        taken = list(islice(self.rest, portion.pairs))
        if keys_of(taken) == portion.keys:
            return True
        self.rest = chain(taken, self.rest)
        return False

    def portions(self, plan: Plan) -> Generator[Portion, None, None]:
        """The portions of the pairs that are left."""
        yield from portions(ahead(self.rest, plan.parser, plan.aligner), plan, self.workers)
