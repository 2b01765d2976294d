"""The cold start with the re-weighting of [M3D]: tokens of sentences that state a present abnormality count more."""

from __future__ import annotations

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
        marks = set(self.tokenizer.all_special_ids)
        said = [one for one in ids if one not in marks]
        text = self._text(said)
        again = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        spans = iter(again["offset_mapping"] if again["input_ids"] == said else self._grown(said))
        return token_weights(text, [(0, 0) if one in marks else next(spans) for one in ids], self.weight)

    def _text(self, ids: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(ids), clean_up_tokenization_spaces=False))

    def _grown(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """The place of each token where a tokenizer would cut the same text in another way: what the text grows by; a
        part of a sign is where the sign is."""
        ends = [len(self._text(ids[:n]).rstrip("\ufffd")) for n in range(len(ids))] + [len(self._text(ids))]
        later = [next((end for end in ends[n:] if end > ends[n - 1]), ends[n]) for n in range(1, len(ends))]
        return list(zip(ends, later, strict=False))


def _stretches(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = None
    for at, label in enumerate([*ids, IGNORED]):
        if label != IGNORED and start is None:
            start = at
        elif label == IGNORED and start is not None:
            yield start, at
            start = None


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
