"""What another package brings: a metric, the share of words that both reports have; a reward, brevity."""

from __future__ import annotations

from dataclasses import dataclass

from cabs.metrics.pair_metric import Empty, metric
from cabs.rewards import Example, Reward, RewardResult
from cabs.rewards.completion import answer_of
from cabs.rewards.reward import each

EMPTY = Empty(reference=0.0, prediction=0.0, both=None)


@metric(name="shared_words", family="surface", higher=True, empty=EMPTY, package="cabs-example-plugin")
def shared_words(references: list[str], predictions: list[str]) -> list[float | None]:
    """One score a pair: words of both / words of either; None where neither has a word."""
    return [_share(set(r.split()), set(p.split())) for r, p in zip(references, predictions, strict=True)]


def _share(reference: set[str], prediction: set[str]) -> float | None:
    either = reference | prediction
    return len(reference & prediction) / len(either) if either else None


def brevity(name: str, *, words: int = 100) -> Reward:
    """1 for an answer of up to `words` words, less for a longer one."""
    work = each(_Brevity(int(words)), ("words",))
    return Reward(
        name=name, label="brevity", range=(0.0, 1.0), components=("words",), work=work, package="cabs-example-plugin"
    )


@dataclass(frozen=True)
class _Brevity:
    words: int

    def __call__(self, example: Example) -> RewardResult:
        answer = answer_of(example.completion)
        length = len(answer.text.split())
        why = "there is no answer" if answer.cut else ""
        value = min(1.0, self.words / max(length, 1))
        return RewardResult(value, {"words": float(length)}, "truncated" if why else "ok", why)
