"""Ranked cases: paraphrases that say the same in other words, and ladders of one more error a rung.

A paraphrase holds no error, so what `cabs.score` takes off is the parser's: F1 and FC-F1 of each set of paraphrases
against the references. φ = concordant pairs / pairs of unequal number of errors within a case, ties half, over
paraphrases (0 errors) and rungs; a pair is concordant where fewer errors score higher. It is per report: Entity F1,
FC-F1, CABS-Score. Hallucinations and all-normal variants take no part in φ: their error lists are coarse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import cabs
from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Figures, Measured, Record
from benchmarks.rooms.ratios import share
from benchmarks.rooms.reading import matcher, quote, read
from cabs.metrics import count
from cabs.metrics import score as ratios
from cabs.metrics.intervals import Resampling

PARAPHRASES = ("paraphrase_a", "paraphrase_b")
RANKED = re.compile(r"paraphrase_\w+|e\d+")
SCORES = ("f1", "fc_f1", "cabs_score")


def measure(cases: Sequence[Record]) -> Measured:
    """Figures of the paraphrases, and φ."""
    figures: Figures = {"cases": len(cases)}
    pairs = {name: list(_variants(cases, name)) for name in PARAPHRASES}
    pairs["paraphrases"] = [pair for name in PARAPHRASES for pair in pairs[name]]
    for name, texts in pairs.items():
        figures[name] = _scores(texts)
    mistakes = [m for name in PARAPHRASES for case in cases for m in _mistakes(case, name)]
    return {**figures, "phi": {name: _phi(cases, name) for name in SCORES}}, mistakes


def _variants(cases: Sequence[Record], name: str) -> Iterator[tuple[str, str]]:
    for case in cases:
        yield from ((case["reference"], v["text"]) for v in case["variants"] if v["name"] == name)


def _scores(pairs: list[tuple[str, str]]) -> Figures:
    if not pairs:
        return dict.fromkeys(SCORES)
    scores = cabs.score(pairs, resampling=Resampling(n=0), keep=False).systems[0].scores
    return {name: None if (value := scores[name]) is None else round(value, 4) for name in SCORES}


def _mistakes(case: Record, name: str) -> Iterator[Mistake]:
    for reference, text in _variants([case], name):
        alignment, id = matcher().align(read(reference), read(text)), f"{case['id']} {name}"
        for fact in alignment.missed:
            yield Mistake("paraphrases", "missed", id, fact.name, quote(reference, fact))
        for fact in alignment.hallucinated:
            yield Mistake("paraphrases", "extra", id, fact.name, quote(text, fact))
        for hit in alignment.hits:
            words = f"{quote(reference, hit.reference)} | {quote(text, hit.prediction)}"
            for slot in hit.disagreements:
                if slot.counts:
                    yield Mistake("paraphrases", slot.name, id, hit.reference.name, words)


def _phi(cases: Sequence[Record], name: str) -> float | None:
    points = pairs = 0.0
    for case in cases:
        graded = [(len(v["errors"]), _graded(case, v, name)) for v in case["variants"] if RANKED.fullmatch(v["name"])]
        for (errors, value), (others, other) in combinations(graded, 2):
            if errors != others and value is not None and other is not None:
                pairs += 1
                points += 0.5 if value == other else float((errors < others) == (value > other))
    return share(points, pairs)


def _graded(case: Record, variant: Record, name: str) -> float | None:
    alignment = matcher().align(read(case["reference"]), read(variant["text"]))
    return ratios(count(alignment, matcher()))[name]
