"""Which differences between ranked systems are more than chance: paired tests, corrected for their number.

Every system is tested against its upper neighbour and against the best one, by the paired randomisation of `cabs
compare`; one correction over all of these tests (Holm 1979), so that the chance of any false difference on the board
stays below ALPHA.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabs.scoring.compare import Contender, compare

ALPHA = 0.05
TRIALS = 10_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """The test of two systems, `above` ranked before `below`. `difference` = above − below, None (as are `se`, `p` and
    `corrected`) where the metric is undefined for one of them. `reports`: what was compared (or clusters of them)."""

    above: str
    below: str
    difference: float | None
    se: float | None
    p: float | None
    corrected: float | None
    reports: int

    @property
    def shown(self) -> bool:
        """Whether the difference is significant after the correction."""
        return self.corrected is not None and self.corrected < ALPHA


def differences(
    ranked: Sequence[Contender], metric: str, *, trials: int = TRIALS, seed: int = SEED
) -> tuple[Difference, ...]:
    """The tests of systems in their order: each against its upper neighbour and against the first. () for one system.

    Raises:
        CabsError: the systems have no report in common, or other references; see `compare`.
    """
    couples = [(at - 1, at) for at in range(1, len(ranked))]
    couples += [(0, at) for at in range(2, len(ranked))]
    tests = []
    for above, below in couples:
        comparison = compare(ranked[above], ranked[below], trials=trials, seed=seed, names=(metric,))
        tests.append(comparison.tests[metric])
    corrected = holm([test.p for test in tests])
    return tuple(
        Difference(ranked[a].label, ranked[b].label, test.difference, test.se, test.p, p, test.units)
        for (a, b), test, p in zip(couples, tests, corrected, strict=True)
    )


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Holm's corrected p, in the order given; a None is no test and stays None.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known = sorted((value, at) for at, value in enumerate(values) if value is not None)
    found: list[float | None] = [None] * len(values)
    least = 0.0
    for number, (value, at) in enumerate(known):
        least = max(least, min(1.0, (len(known) - number) * value))
        found[at] = least
    return found


def groups(ranked: Sequence[str], tests: Sequence[Difference]) -> dict[str, int]:
    """The group of each system, from 1. A group ends where a system differs from its upper neighbour; the first one
    also where it differs from the best. Systems of one group are not shown to be equal: they were not told apart."""
    shown = {(test.above, test.below): test.shown for test in tests}
    found: dict[str, int] = {}
    group = 0
    for at, name in enumerate(ranked):
        parted = at == 0 or shown.get((ranked[at - 1], name), False)
        if parted or (group == 1 and shown.get((ranked[0], name), False)):
            group += 1
        found[name] = group
    return found
