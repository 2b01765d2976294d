"""The cold start with the re-weighting of [M3D]: tokens of sentences that state a present abnormality count more."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import torch
from trl import SFTTrainer

from cabs.rewards.med3d.weights import token_weights

IGNORED = -100
"""The label of a token that is not trained on."""


class Weights:
    """Labels of a batch → weights of the same shape. `tokenizer`: a fast one, which knows the place of a token in its
    text."""

    def __init__(self, tokenizer: Any, weight: float) -> None:
        self.tokenizer, self.weight = tokenizer, weight
        self._known = lru_cache(4096)(self._weights)

    def __call__(self, labels: torch.Tensor) -> torch.Tensor:
        """labels: batch × tokens, `IGNORED` where nothing is trained. Each stretch of trained labels is one text."""
        found = torch.ones(labels.shape, dtype=torch.float32)
        for row, ids in enumerate(labels.tolist()):
            for start, end in _stretches(ids):
                found[row, start:end] = torch.tensor(self._known(tuple(ids[start:end])))
        return found.to(labels.device)

    def _weights(self, ids: tuple[int, ...]) -> list[float]:
        pieces = [self.tokenizer.decode([i], skip_special_tokens=True) for i in ids]
        text = "".join(pieces)
        if text != self.tokenizer.decode(list(ids), skip_special_tokens=True):
            return self._by_prefix(ids)
        return token_weights(text, _offsets(pieces), self.weight)

    def _by_prefix(self, ids: tuple[int, ...]) -> list[float]:
        """The same where a token is a part of a sign: its place is what the text grows by."""
        grown = [self.tokenizer.decode(list(ids[:n]), skip_special_tokens=True) for n in range(len(ids) + 1)]
        ends = [min(len(text.rstrip("\ufffd")), len(grown[-1])) for text in grown]
        spans = [(min(a, b), b) for a, b in itertools.pairwise(ends)]
        return token_weights(grown[-1], spans, self.weight)


def _stretches(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = None
    for at, label in enumerate([*ids, IGNORED]):
        if label != IGNORED and start is None:
            start = at
        elif label == IGNORED and start is not None:
            yield start, at
            start = None


def _offsets(pieces: Sequence[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for piece in pieces:
        spans.append((at, at + len(piece)))
        at += len(piece)
    return spans


class WeightedTrainer(SFTTrainer):  # type: ignore[misc]  # TRL is untyped
    """`SFTTrainer` with the weighted mean of the losses of the tokens."""

    weights: Weights

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The weighted mean over a batch. Of several batches that make one step each counts by its tokens."""
        labels = inputs["labels"]
        outputs = model(**{name: value for name, value in inputs.items() if name != "labels"}, use_cache=False)
        loss = weighted_mean(outputs.logits, labels, self.weights(labels))
        if num_items_in_batch is not None:
            ranks = self.accelerator.num_processes if self.args.average_tokens_across_devices else 1
            loss = loss * (labels[:, 1:] != IGNORED).sum() / num_items_in_batch * ranks
        return (loss, outputs) if return_outputs else loss


def weighted_mean(logits: torch.Tensor, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Σ w·loss / Σ w over the labels that are trained on, each predicted from the tokens before it; 0 for none.

    logits: batch × tokens × vocabulary; labels, weights: batch × tokens.
    """
    wanted, kept = labels[:, 1:], labels[:, 1:] != IGNORED
    losses = torch.nn.functional.cross_entropy(
        logits[:, :-1].float().flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, reduction="none"
    ).view_as(wanted)
    used = weights[:, 1:] * kept
    return (used * losses).sum() / used.sum().clamp(min=1e-12)
