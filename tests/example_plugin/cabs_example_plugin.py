"""A metric of another package: the share of words that both reports have."""

from __future__ import annotations

from cabs.metrics.pair_metric import Empty, metric

EMPTY = Empty(reference=0.0, prediction=0.0, both=None)


@metric(name="shared_words", family="surface", higher=True, empty=EMPTY, package="cabs-example-plugin")
def shared_words(references: list[str], predictions: list[str]) -> list[float | None]:
    """One score a pair: words of both / words of either; None where neither has a word."""
    return [_share(set(r.split()), set(p.split())) for r, p in zip(references, predictions, strict=True)]


def _share(reference: set[str], prediction: set[str]) -> float | None:
    either = reference | prediction
    return len(reference & prediction) / len(either) if either else None
