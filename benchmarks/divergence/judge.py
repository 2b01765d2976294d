"""What models wrote about held-out scans, judged by what is there."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.divergence.likeliest import likeliest
from benchmarks.divergence.reading import Reading, without_tags
from benchmarks.divergence.runs import Job
from benchmarks.divergence.scan import Finding
from cabs.metrics.batch import batch_of
from cabs.metrics.pair_metric import measure_all
from cabs.metrics.registered import pair_metric

Curve = dict[int, dict[str, float]]
"""step → metric → value."""
Text = Mapping[str, str]
"""A row of a file: `id`, `reference`, and `completion` or `truth`."""
SURFACE = ("rouge_l", "bleu_4")


@dataclass
class Tally:
    """What is added over reports, in the words of the definitions: K, h, F, c, organs with a finding and a hit, ..."""

    findings: int = 0
    hits: int = 0
    false: int = 0
    consistent: int = 0
    organs: int = 0
    organs_hit: int = 0
    strange: int = 0
    sentences: int = 0

    def scores(self) -> dict[str, float]:
        """The ratios; 0 where there is nothing to divide by."""
        said = self.findings + self.hits + self.false
        return {
            "f1": _over(2 * self.hits, said),
            "precision": _over(self.hits, self.hits + self.false),
            "recall": _over(self.hits, self.findings),
            "fc_f1": _over(2 * self.consistent, said),
            "organ_coverage": _over(self.organs_hit, self.organs),
            "strange": _over(self.strange, self.sentences),
            "sentences": float(self.sentences),
        }


def _over(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def curve(job: Job, read: Reading) -> Curve:
    """Every evaluation of a run: true scores, surface scores, and those of CABS under `cabs_...`."""
    truth = {row["id"]: row for row in _lines(job.home / "eval.jsonl")}
    told: dict[int, list[Text]] = defaultdict(list)
    for text in _lines(job.output / "held_out.jsonl"):
        told[text["step"]].append(text)
    found = {step: {**judged(texts, truth, read), **surface(texts)} for step, texts in sorted(told.items())}
    for line in _lines(job.output / "evaluation.jsonl"):
        found[line["step"]] |= {f"cabs_{name}": line[name] for name in ("f1", "fc_f1") if name in line}
    return found


def ended(job: Job, model: Path, read: Reading) -> dict[str, float]:
    """True scores of what a model of a run writes where it takes the likeliest word each time."""
    rows = _lines(job.home / "eval.jsonl")
    texts = likeliest(model, rows, job.home / f"{job.name}-{model.parent.name}.jsonl")
    return judged(texts, {row["id"]: row for row in rows}, read)


def judged(texts: Iterable[Text], truth: Mapping[str, Text], read: Reading) -> dict[str, float]:
    """True scores of texts."""
    tally = Tally()
    for text in texts:
        there = frozenset(Finding(*finding) for finding in json.loads(truth[text["id"]]["truth"]))
        add(tally, there, text["completion"], read)
    return tally.scores()


def add(tally: Tally, there: frozenset[Finding], text: str, read: Reading) -> None:
    """Add a report. A finding is hit by one of its kind, each by one; a hit is consistent where region and measure are
    right as well. Pairs that are consistent are paired first, which loses no hit."""
    said = read.findings(text)
    kinds = Counter(finding.kind for finding in there) & Counter(finding.kind for finding in said)
    organs = {kind: read.world.findings[kind].organ for kind in read.world.findings}
    strange, sentences = read.strange(text)
    tally.findings += len(there)
    tally.hits += kinds.total()
    tally.false += len(said) - kinds.total()
    tally.consistent += len(there & said)
    tally.organs += len({organs[finding.kind] for finding in there})
    tally.organs_hit += len({organs[kind] for kind in kinds})
    tally.strange += strange
    tally.sentences += sentences


def surface(texts: Sequence[Text]) -> dict[str, float]:
    """Metrics of words in common with the reference, tags apart: means over texts."""
    references, said = ([without_tags(text[side]) for text in texts] for side in ("reference", "completion"))
    measured = measure_all(map(pair_metric, SURFACE), batch_of(references, said))
    return {name: measured[name].value or 0.0 for name in SURFACE}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
