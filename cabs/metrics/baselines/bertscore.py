"""BERTScore (Zhang et al. 2020, F1, no idf, no rescaling) by bert-score with a local model; the corpus is the mean."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cabs.errors import SettingError
from cabs.metrics.baselines.local_model import Model, local_model
from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, means
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric, Settings


@dataclass(frozen=True)
class Greedy:
    """The work: F1 of greedily matched token vectors of one layer (0: the last), each distinct pair once."""

    model: Model
    layer: int

    def __call__(self, batch: Batch) -> Floats:
        """The F1 of each pair."""
        pairs = list(zip(*batch.texts(), strict=True))
        distinct = sorted({pair for pair in pairs if pair[0].strip() and pair[1].strip()})
        known: dict[tuple[str, str], float] = {}
        if distinct:
            references, predictions = ([pair[side] for pair in distinct] for side in (0, 1))
            f1 = _loaded(self.model, self.layer).score(predictions, references)[2]
            known = dict(zip(distinct, f1.double().tolist(), strict=True))
        return np.array([known.get(pair, 0.0) for pair in pairs], dtype=np.float64)


@lru_cache(maxsize=2)
def _loaded(model: Model, layer: int) -> Any:
    from bert_score import BERTScorer

    logging.getLogger("transformers.modeling_utils").addFilter(_no_pooler)
    return BERTScorer(model_type=model.folder, num_layers=layer or model.config()["num_hidden_layers"], device="cpu")


def _no_pooler(record: logging.LogRecord) -> bool:
    """BERTScore uses no pooler; that its weights are new is no news."""
    return "pooler" not in record.getMessage()


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
        return ("model", chosen.signed), ("layer", str(layer)), ("idf", "no"), ("rescaled", "no")

    return PairMetric(
        name=name,
        label="BERTScore",
        family="embedding",
        higher=True,
        empty=ZERO,
        work=Greedy(chosen, int(layer)),
        measured=means,
        range=(-1.0, 1.0),
        needs=Needs("embedding", packages),
        settings=settings,
    )
