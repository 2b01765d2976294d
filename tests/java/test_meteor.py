"""METEOR: its jar loads for seconds, so that all is asked in one test with one process on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from cabs.metrics.batch import Batch, batch_of
from cabs.metrics.measured import Floats
from cabs.metrics.registered import pair_metric
from cabs.testing import check_metric, examples

PAIRS = [
    *examples()[:3],
    ("the lungs are clear", "the lungs are clear"),
    ("no effusion", "no effusion"),
    ("", "no effusion"),
    ("no effusion", ""),
    ("", ""),
    ("two\nlines ||| and bars", "bars and two lines"),
    ("größe 3.5 mm", "größe 3.5 cm"),
]
DRAWS = [2, 0, 1, 3, 1, 2, 0, 1, 1, 2]


class Remembered:
    """The jar's statistics of every pair of the examples' texts and of `PAIRS`, asked for once."""

    def __init__(self) -> None:
        texts = sorted({"", *(text for pair in examples() for text in pair)})
        pairs = dict.fromkeys([*PAIRS, *((r, p) for r in texts for p in texts)])
        self.rows: Floats = pair_metric("meteor").work(batch_of(*zip(*pairs, strict=True)))
        self.places = {pair: at for at, pair in enumerate(pairs)}

    def __call__(self, batch: Batch) -> Floats:
        asked = [(i.reference, i.prediction) for i in batch.items]
        blanks = [tuple("" if not text.strip() else text for text in pair) for pair in asked]
        return self.rows[[self.places[pair] for pair in blanks]]


def values_of(scorer, pairs: Sequence[tuple[str, str]]) -> tuple[float, list[float]]:
    """What pycocoevalcap gives for texts on one line each."""
    lines = [tuple(" ".join(text.replace("|||", " ").split()) for text in pair) for pair in pairs]
    return scorer.compute_score(*({i: [pair[side]] for i, pair in enumerate(lines)} for side in (0, 1)))


def test_meteor_is_its_jar_s_and_keeps_the_contract() -> None:
    from pycocoevalcap.meteor.meteor import Meteor

    metric = replace(pair_metric("meteor"), work=Remembered())
    found = metric.measure(*zip(*PAIRS, strict=True))
    scorer = Meteor()
    with scorer.meteor_p.stdout, scorer.meteor_p.stderr:
        corpus, values = values_of(scorer, PAIRS)
        redrawn, _ = values_of(scorer, [pair for pair, times in zip(PAIRS, DRAWS, strict=True) for _ in range(times)])
    np.testing.assert_allclose(found.values, values, rtol=0, atol=1e-9)
    assert found.value == pytest.approx(corpus, abs=1e-9)
    assert found.corpus(DRAWS)[0] == pytest.approx(redrawn, abs=1e-9)
    check_metric(metric)
