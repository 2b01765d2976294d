"""CABS-Score: how close one prediction comes to one reference, clinically weighted, as one graded number.

(1 + T) / (1 + T + E), with T the weight that is right and E the weight that is wrong; 1 for a perfect or a
correctly normal prediction, lower with every further error. Source: the specification of CABS, "Clinical
weight and CABS-Score".
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from cabs.matching.alignment import AlignedPair, Contradiction
from cabs.matching.weight import Weigher
from cabs.values import Fact

NEAR = 0.5
"""Share of its quality that an is-a relative keeps."""
POSSIBLE = 0.5
"""Share of its weight that a missed fact costs where the reference only thinks it possible."""


def quality(pair: AlignedPair) -> float:
    """q of a hit: the product of (1 - cost) over its disagreeing slots, halved for an is-a relative; in (0,
    1]."""
    whole = prod(1.0 - d.cost for d in pair.disagreements if d.counts)
    return whole if pair.exact else whole * NEAR


def cabs_score(
    weigher: Weigher,
    hits: Iterable[AlignedPair],
    near: Iterable[AlignedPair],
    missed: Iterable[Fact],
    hallucinated: Iterable[Fact],
    contradictions: Iterable[Contradiction],
) -> float:
    """The score of one pair of reports, in (0, 1]; 1 where there is nothing to say and nothing is said.

    `missed` and `hallucinated` hold the facts of `near` too, as in an `Alignment`; there they count as near
    hits. A contradicted fact costs its weight once more.
    """
    weigh = weigher.weight
    right = wrong = 0.0
    for pair in (*hits, *near):
        weight, q = weigh(pair.reference), quality(pair)
        right += weight * q
        wrong += weight * (1.0 - q)
    wrong += sum(_missing(weigher, fact) for fact in missed) + sum(map(weigh, hallucinated))
    wrong -= sum(_missing(weigher, pair.reference) + weigh(pair.prediction) for pair in near)
    for contradiction in contradictions:
        own = contradiction.side == "reference"
        wrong += _missing(weigher, contradiction.fact) if own else weigh(contradiction.fact)
    return (1.0 + right) / (1.0 + right + max(wrong, 0.0))


def _missing(weigher: Weigher, fact: Fact) -> float:
    return weigher.weight(fact) * (POSSIBLE if fact.certainty == "possible" else 1.0)
