"""The checks that every metric of CABS passes, for the authors of others.

    import pytest
    from cabs.testing import METRIC_CHECKS
    from my_package import my_metric

    @pytest.mark.parametrize("check", METRIC_CHECKS)
    def test_contract(check):
        check(my_metric)

Each check takes a `PairMetric` and, if you like, pairs of your own as (reference, prediction); the first has to have
something to say on both sides. It raises `AssertionError` with what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from cabs.io.pairs import read_pairs
from cabs.metrics.batch import batch_of
from cabs.metrics.measured import Floats, Measured
from cabs.metrics.pair_metric import Empty, PairMetric, measure_all
from cabs.registry import NAME

Examples = Sequence[tuple[str, str]]
Check = Callable[..., None]

TOLERANCE = 1e-6
"""Differences that may come of the order in which numbers are added, or of padding a batch."""


def examples() -> list[tuple[str, str]]:
    """Some pairs of the shipped example (invented), of different references, then a reference with itself."""
    pairs = read_pairs(Path(__file__).parents[1] / "_demo" / "pairs.jsonl")
    chosen = {pair.id: (str(pair.reference), str(pair.prediction)) for pair in pairs if pair.system == "careful"}
    some = list(chosen.values())[:5]
    return [*some, (some[0][0], some[0][0])]


def check_described(metric: PairMetric, pairs: Examples | None = None) -> None:
    """It says what it is: name, label, family, range, what it gives for empty reports, a signature of one line."""
    del pairs
    _that(
        NAME.fullmatch(metric.name.partition(":")[0]),
        metric,
        "its name is lower-case letters, digits and _, a letter first",
    )
    _that(metric.label.strip() and metric.family.strip(), metric, "it has a label and a family")
    least, greatest = metric.range
    _that(least is None or greatest is None or least < greatest, metric, "its range goes from less to more")
    _that(isinstance(metric.empty, Empty), metric, "it says what it gives for empty reports")
    line = metric.signature
    _that(
        line.startswith(metric.name) and "\n" not in line, metric, "its signature is a line that starts with its name"
    )


def check_values(metric: PairMetric, pairs: Examples | None = None) -> None:
    """One value a pair, a number in its range or nan; none for no pairs."""
    found = _measured(metric, pairs)
    defined = found.values[~np.isnan(found.values)]
    least, greatest = metric.range
    _that(len(found) == len(_pairs(pairs)), metric, "one value a pair")
    _that(least is None or (defined >= least - TOLERANCE).all(), metric, f"no value is below {least}")
    _that(greatest is None or (defined <= greatest + TOLERANCE).all(), metric, f"no value is above {greatest}")
    nothing = metric.measure([], [])
    _that(len(nothing) == 0 and nothing.value is None, metric, "no pairs have no values, and none as a whole")


def check_same_again(metric: PairMetric, pairs: Examples | None = None) -> None:
    """The same pairs give the same bytes."""
    first, second = _measured(metric, pairs), _measured(metric, pairs)
    _that(first.values.tobytes() == second.values.tobytes(), metric, "the values of a second call are the same")
    _that(first.statistics.tobytes() == second.statistics.tobytes(), metric, "so are the statistics")


def check_order(metric: PairMetric, pairs: Examples | None = None) -> None:
    """The order of the pairs only orders the values, and leaves the corpus value alone."""
    chosen = _pairs(pairs)
    order = [*range(1, len(chosen)), 0]
    first, moved = _measured(metric, chosen), _measured(metric, [chosen[at] for at in order])
    _near(moved.values, first.values[order], metric, "values follow their pairs")
    _near([_number(moved)], [_number(first)], metric, "the value of all doesn't depend on the order")


def check_alone(metric: PairMetric, pairs: Examples | None = None) -> None:
    """A pair's value doesn't depend on the others, unless the metric says so."""
    if not metric.independent:
        return
    chosen = _pairs(pairs)
    alone = [float(_measured(metric, [pair]).values[0]) for pair in chosen[:3]]
    _near(alone, _measured(metric, chosen).values[:3], metric, "a pair has the same value alone as among others")


def check_corpus(metric: PairMetric, pairs: Examples | None = None) -> None:
    """Corpus values come from added statistics: a pair that is drawn twice counts as one that comes twice."""
    chosen = _pairs(pairs)
    found = _measured(metric, chosen)
    ones, once = np.ones(len(chosen)), np.eye(len(chosen))[0]
    _near(found.corpus(np.stack([ones, ones])), [_number(found)] * 2, metric, "every pair once gives the value of all")
    _that(np.isnan(found.corpus(0 * ones)).all(), metric, "nothing drawn is undefined")
    rows = [len(chosen) - 1, 0]
    _near([_number(found.take(rows))], found.corpus(_drawn(rows, len(chosen))), metric, "some pairs are a whole too")
    if metric.independent:
        twice = _number(_measured(metric, [*chosen, chosen[0]]))
        _near(found.corpus(ones + once), [twice], metric, "a pair drawn twice counts as one that comes twice")


def check_best(metric: PairMetric, pairs: Examples | None = None) -> None:
    """No prediction has a better value than the reference itself."""
    chosen = _pairs(pairs)
    found, itself = _measured(metric, chosen), _measured(metric, [(reference, reference) for reference, _ in chosen])
    defined = ~np.isnan(found.values) & ~np.isnan(itself.values)
    gain = (itself.values - found.values)[defined] * (1 if metric.higher else -1)
    _that((gain >= -TOLERANCE).all(), metric, f"what is {'higher' if metric.higher else 'lower'} is better")


def check_empty(metric: PairMetric, pairs: Examples | None = None) -> None:
    """Empty reports have the values that it declares, blank ones too."""
    chosen = _pairs(pairs)
    reference, prediction = chosen[0]
    for blank in ("", " \n"):
        sides = [(blank, prediction), (reference, blank), (blank, blank)]
        declared = (metric.empty.reference, metric.empty.prediction, metric.empty.both)
        values = _measured(metric, [*sides, *chosen]).values
        for which, expected, value in zip(("reference", "prediction", "both"), declared, values[:3], strict=True):
            if not isinstance(expected, str):
                number = np.nan if expected is None else expected
                _near([value], [number], metric, f"{which} empty ({blank!r}): as declared")


METRIC_CHECKS: tuple[Check, ...] = (
    check_described,
    check_values,
    check_same_again,
    check_order,
    check_alone,
    check_corpus,
    check_best,
    check_empty,
)
"""All checks of a metric."""


def check_metric(metric: PairMetric, pairs: Examples | None = None) -> None:
    """Every check.

    Raises:
        AssertionError: one of them fails.
    """
    for check in METRIC_CHECKS:
        check(metric, pairs)


def _pairs(pairs: Examples | None) -> Examples:
    return examples() if pairs is None else pairs


def _measured(metric: PairMetric, pairs: Examples | None) -> Measured:
    chosen = _pairs(pairs)
    return measure_all([metric], batch_of([r for r, _ in chosen], [p for _, p in chosen]))[metric.name]


def _number(found: Measured) -> float:
    return np.nan if found.value is None else found.value


def _drawn(rows: Iterable[int], size: int) -> Floats:
    return np.bincount(list(rows), minlength=size).astype(np.float64)


def _that(holds: object, metric: PairMetric, what: str) -> None:
    if not holds:
        raise AssertionError(f"metric {metric.name!r} of {metric.package!r}; expected: {what}")


def _near(found: Iterable[float], expected: Iterable[float], metric: PairMetric, what: str) -> None:
    left, right = np.asarray(list(found), dtype=np.float64), np.asarray(list(expected), dtype=np.float64)
    same = left.shape == right.shape and np.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    _that(same, metric, f"{what}: {right.tolist()}, found {left.tolist()}")
