"""METEOR 1.5 (Denkowski and Lavie 2014): its own jar from pycocoevalcap, in one Java process a call, English settings.

The jar gives the statistics of each pair (matched words by matcher, chunks, lengths); the score of a pair and of a
corpus are the same function of them, restated here so that any resampling has its corpus value.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cabs.errors import CabsError
from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric

JAR = "meteor-1.5.jar"
COMMAND = ("java", "-Dfile.encoding=UTF-8", "-Xmx2G", "-jar", JAR, "-", "-", "-stdio", "-l", "en", "-norm")
COLUMNS, CHUNKS = 23, 20
"""The statistics of a pair, and the place of the chunks among them: words and function words of both sides; matches of
content and of function words of both sides for each of four matchers; chunks; matched words of both sides."""

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.20, 0.60, 0.75
MATCHERS = np.array([1.0, 0.6, 0.8, 0.6])
"""METEOR 1.5's parameters for English, and the weights of exact, stem, synonym and paraphrase matches."""


def statistics(batch: Batch) -> Floats:
    """n × 23: the jar's statistics of each pair.

    Raises:
        CabsError: the jar fails.
    """
    pairs = zip(*batch.texts(), strict=True)
    lines = [f"SCORE ||| {_line(reference)} ||| {_line(prediction)}" for reference, prediction in pairs]
    if not lines:
        return np.zeros((0, COLUMNS))
    with as_file(files("pycocoevalcap.meteor").joinpath(JAR)) as jar:
        return _numbers(_run(lines, jar.parent), len(lines))


def _line(text: str) -> str:
    """A text as one line of the jar's protocol, in which ||| separates."""
    return " ".join(text.replace("|||", " ").split())


def _run(lines: Sequence[str], folder: Path) -> str:
    page = "\n".join(lines) + "\n"
    done = subprocess.run(COMMAND, cwd=folder, input=page, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise CabsError(f"its jar failed: {last[0]}", place="metric 'meteor'", hint="it needs Java and 2 GB of memory")
    return done.stdout


def _numbers(page: str, pairs: int) -> Floats:
    rows = [[float(word) for word in line.split()] for line in page.splitlines()]
    if len(rows) != pairs or any(len(row) != COLUMNS for row in rows):
        what = f"its jar answered {len(rows)} of {pairs} pairs in its own form"
        raise CabsError(what, place="metric 'meteor'", hint="pycocoevalcap 1.2 holds the jar that this is made for")
    found = np.array(rows, dtype=np.float64)
    found[_whole(found), CHUNKS] = 0.0
    return found


def _whole(rows: Floats) -> NDArray[np.bool_]:
    """Pairs of which the whole of both sides is one chunk: the jar adds no chunk of them to a corpus."""
    matched = (rows[:, CHUNKS + 1 :] == rows[:, 0:2]).all(axis=1)
    return np.asarray((rows[:, CHUNKS] == 1) & matched)


def meteor_of(sums: Floats) -> Floats:
    """The score of rows of statistics, 0 to 1; 0 where nothing matches."""
    matched = sums[:, 4:20].reshape(len(sums), 4, 4)  # matcher × (content: test, reference; function: test, reference)
    hits = np.einsum("nms,m->ns", DELTA * matched[:, :, :2] + (1 - DELTA) * matched[:, :, 2:], MATCHERS)
    lengths, function = sums[:, 0:2], sums[:, 2:4]
    weighted = DELTA * (lengths - function) + (1 - DELTA) * function
    shares = np.divide(hits, weighted, out=np.zeros_like(hits), where=weighted > 0)
    precision, recall = shares[:, 0], shares[:, 1]
    bottom = (1 - ALPHA) * recall + ALPHA * precision
    mean = np.divide(precision * recall, bottom, out=np.zeros(len(sums)), where=bottom > 0)
    words = sums[:, CHUNKS + 1 :].sum(axis=1)
    fragments = np.divide(2 * sums[:, CHUNKS], words, out=np.zeros(len(sums)), where=words > 0)
    return np.asarray(mean * (1 - GAMMA * fragments**BETA))


def measured(statistics: Floats) -> Measured:
    """METEOR of its statistics."""
    return Measured(meteor_of(statistics), statistics, meteor_of)


METEOR = PairMetric(
    name="meteor",
    label="METEOR",
    family="surface",
    higher=True,
    empty=ZERO,
    work=statistics,
    measured=measured,
    needs=Needs("coco", (("pycocoevalcap", "pycocoevalcap"),), ("java",)),
    settings=lambda: (("version", "1.5"), ("lang", "en"), ("norm", "yes")),
)
