"""BERTScore (Zhang et al. 2020, F1, no idf, no rescaling) by bert-score with a local model; the corpus is the mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cabs.errors import SettingError
from cabs.metrics.baselines.local_model import Model, cut_note, local_model, longer, quiet
from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured, means
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric, Settings


class Matched(NamedTuple):
    """The F1 of each pair, and how many distinct texts were cut."""

    values: Floats
    cut: int


@dataclass(frozen=True)
class Greedy:
    """The work: F1 of greedily matched token vectors of one layer (0: the last), each distinct pair once."""

    model: Model
    layer: int

    def __call__(self, batch: Batch) -> Matched:
        """The F1 of each pair."""
        pairs = list(zip(*batch.texts(), strict=True))
        distinct = sorted({pair for pair in pairs if pair[0].strip() and pair[1].strip()})
        if not distinct:
            return Matched(np.zeros(len(pairs)), 0)
        tokenizer, scorer = _loaded(self.model, self.layer)
        references, predictions = ([pair[side] for pair in distinct] for side in (0, 1))
        f1 = scorer.score(predictions, references)[2].double().clamp(-1.0, 1.0)
        known = dict(zip(distinct, f1.tolist(), strict=True))
        cut = longer(sorted({*references, *predictions}), tokenizer, tokenizer.model_max_length)
        return Matched(np.array([known.get(pair, 0.0) for pair in pairs], dtype=np.float64), cut)


@lru_cache(maxsize=2)
def _loaded(model: Model, layer: int) -> tuple[Any, Any]:
    """Tokenizer and scorer."""
    from bert_score import BERTScorer
    from transformers import AutoTokenizer

    layers = layer or model.config()["num_hidden_layers"]
    with quiet():
        scorer = BERTScorer(model_type=model.folder, num_layers=layers, device="cpu")
        return AutoTokenizer.from_pretrained(model.folder, local_files_only=True), scorer


def measured(matched: Matched) -> Measured:
    """The F1s; the corpus is their mean."""
    return means(matched.values, cut_note(matched.cut))


def bertscore(name: str, model: str = "", layer: str = "0") -> PairMetric:
    """BERTScore; `model`: the directory of an encoder, `layer`: which of its layers (0: the last).

    Raises:
        SettingError: the directory holds no model, or the layer is no whole number.
    """
    chosen = local_model(model)
    if not str(layer).isdecimal():
        raise SettingError(f"{layer!r} is no layer", place="metric 'bertscore'", hint="a whole number; 0 is the last")
    packages = (("torch", "torch"), ("transformers", "transformers"), ("bert_score", "bert-score"), *chosen.packages)

    def settings() -> Settings:
        return (
            ("model", chosen.signed),
            ("layer", str(layer) if int(layer) else "last"),
            ("idf", "no"),
            ("rescaled", "no"),
        )

    return PairMetric(
        name=name,
        label="BERTScore",
        family="embedding",
        higher=True,
        empty=ZERO,
        work=Greedy(chosen, int(layer)),
        measured=measured,
        range=(-1.0, 1.0),
        needs=Needs("embedding", packages),
        settings=settings,
    )
