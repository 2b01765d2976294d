"""The re-weighting of the cold start: labels of a batch → weights, and the loss that they make."""

from __future__ import annotations

import pytest
import torch

from cabs.training.weighted import IGNORED, Weights, weighted_mean
from tests.rewards.adapters.tiny import tiny_tokenizer

TEXT = "No effusion. There is a 9 mm nodule — in the right upper lobe. The heart is normal."
FLAWED = "There is a 9 mm nodule — in the right upper lobe."


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer()


def labels_of(tokenizer, *texts: str) -> list[int]:
    """Each text as a chat template leaves it: an ignored prompt, the text, an end."""
    out: list[int] = []
    for text in texts:
        out += [IGNORED] * 3 + tokenizer(text)["input_ids"] + [tokenizer.eos_token_id]
    return out


def marked(tokenizer, labels: list[int], weights: list[float]) -> str:
    """The words of the tokens that count more."""
    ids = [label for label, weight in zip(labels, weights, strict=True) if weight > 1]
    return str(tokenizer.decode(ids))


def test_tokens_of_abnormal_sentences_count_more(tokenizer) -> None:
    labels = labels_of(tokenizer, TEXT)
    weights = Weights(tokenizer, 1.1)(torch.tensor([labels]))[0].tolist()
    assert len(weights) == len(labels)
    assert marked(tokenizer, labels, weights).strip(" ") == FLAWED
    assert {round(weight, 6) for weight in weights} == {1.0, 1.1}
    assert weights[-1] == 1.0, "the end of the text belongs to no sentence"


def test_a_text_that_would_be_cut_in_another_way(tokenizer) -> None:
    letters = [one for sign in TEXT for one in tokenizer(sign)["input_ids"]]
    assert letters != tokenizer(TEXT)["input_ids"]
    weights = Weights(tokenizer, 1.1)(torch.tensor([letters]))[0].tolist()
    assert marked(tokenizer, letters, weights) == FLAWED


def test_several_texts_in_a_row_and_rows_without_any(tokenizer) -> None:
    packed = labels_of(tokenizer, "No effusion.", TEXT)
    nothing = [IGNORED] * len(packed)
    weights = Weights(tokenizer, 2.0)(torch.tensor([packed, nothing]))
    assert marked(tokenizer, packed, weights[0].tolist()).strip(" ") == FLAWED
    assert weights[1].tolist() == [1.0] * len(packed)


def test_the_loss_is_the_weighted_mean() -> None:
    torch.manual_seed(0)
    logits, labels = torch.randn(2, 6, 5), torch.tensor([[-100, 1, 2, 3, 4, 0], [-100, -100, -100, 2, 2, -100]])
    ones, weights = torch.ones(2, 6), torch.ones(2, 6)
    plain = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)
    assert weighted_mean(logits, labels, ones).item() == pytest.approx(plain.item(), abs=1e-6)
    weights[0, 2] = 3.0
    log = torch.log_softmax(logits, -1)
    kept = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 3), (1, 4)]
    told = [(-log[r, t - 1, labels[r, t]].item(), weights[r, t].item()) for r, t in kept]
    wanted = sum(loss * weight for loss, weight in told) / sum(weight for _, weight in told)
    assert weighted_mean(logits, labels, weights).item() == pytest.approx(wanted, abs=1e-6)
    assert weighted_mean(logits, torch.full((2, 6), IGNORED), ones).item() == 0.0
