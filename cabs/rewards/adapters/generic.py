"""Completions and references → finite numbers: the reward for trainers that take a number and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from cabs.errors import SettingError
from cabs.rewards.adapters.columns import column, rows
from cabs.rewards.adapters.means import flags
from cabs.rewards.adapters.scorer import Truncated, scorer
from cabs.rewards.example import Example
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, Scale

PREFIX = "cabs_"
"""Before each key of `RewardFunction.row`, so that none meets a name of the trainer's own."""


class RewardFunction:
    """A reward as a function of two lists; one number each, always finite. Picklable, thread-safe, never raises for
    what a sample says.

    - reward: a name (`tif`, `tif:gamma=0`, a registered metric), with its `options`, or a `Reward`.
    - truncated: what a cut answer is worth: "score", what it says; "none", the fallback; "zero", 0.
    - fallback: the number in place of a missing value; the least value of the reward where None.
    - scale, log: see `cabs.rewards.Reward` and `cabs.rewards.adapters.log`.
    - name: under which it is logged (`cabs_NAME`); by default its own with its options.

    Raises `SettingError` where something of this is unknown, or the reward has no least value and there is no fallback.

    >>> from cabs.rewards.adapters.generic import RewardFunction
    >>> report = "<findings>Left pleural effusion.</findings><impression>Left pleural effusion.</impression>"
    >>> RewardFunction("tif")([report, "The lungs are clear."], [report, report])
    [1.0, 0.0]
    """

    def __init__(
        self,
        reward: str | Reward = "tif",
        *,
        truncated: Truncated = "score",
        fallback: float | None = None,
        log: str | None = None,
        scale: Scale = "raw",
        name: str | None = None,
        **options: Any,
    ) -> None:
        named = {} if fallback is None else {"fallback": fallback}
        self.scorer = scorer(reward, options, truncated=truncated, log=log, scale=scale, name=name, named=named)
        self.fallback = _fallback(self.scorer.reward, fallback)
        self.__name__ = f"cabs_{self.scorer.name}"

    def __call__(
        self,
        completions: Sequence[object],
        references: Sequence[object],
        *,
        truncated: Sequence[bool | None] | None = None,
        judgements: Sequence[Mapping[str, Any] | None] | None = None,
        **fields: Any,
    ) -> list[float]:
        """One number a completion, in order; none for none. `truncated`: whether the limit of generation cut it;
        `judgements`: verdicts of another judge; other `fields`: lists of one item a completion, for rewards that use
        them.

        Raises:
            InputError: the lists differ in length, which is the caller's mistake and no sample's.
        """
        found = self.results(completions, references, truncated=truncated, judgements=judgements, **fields)
        return [self.value(result) for result in found]

    def results(
        self,
        completions: Sequence[object],
        references: Sequence[object],
        *,
        truncated: Sequence[bool | None] | None = None,
        judgements: Sequence[Mapping[str, Any] | None] | None = None,
        **fields: Any,
    ) -> list[RewardResult]:
        """The full results behind the numbers: value or None, components, status and reason.

        Raises:
            InputError: the lists differ in length.
        """
        samples = len(completions)
        given = column(references, samples, "references")
        cut = [None] * samples if truncated is None else column(truncated, samples, "truncated")
        judged = [None] * samples if judgements is None else column(judgements, samples, "judgements")
        parts = zip(completions, given, cut, judged, rows(fields, samples), strict=True)
        return self.scorer.results(Example(c, r, None if t is None else bool(t), j, f) for c, r, t, j, f in parts)

    def result(self, example: Example) -> RewardResult:
        """The result of one example."""
        return self.scorer.results([example])[0]

    def value(self, result: RewardResult) -> float:
        """The number of a result; the fallback where it has none."""
        return self.fallback if result.value is None else float(result.value)

    def row(self, result: RewardResult) -> dict[str, float]:
        """`score` first, then components and flags (`cabs_...`): finite numbers, the same keys in the same order."""
        told = {**result.components, **flags(result)}
        return {"score": self.value(result)} | {f"{PREFIX}{name}": float(told[name]) for name in told}


def _fallback(reward: Reward, given: float | None) -> float:
    chosen = reward.bounds[0] if given is None else given
    if isinstance(chosen, int | float) and isfinite(chosen):
        return float(chosen)
    what = f"reward {reward.name!r} has no least value" if given is None else f"{given!r} is no finite number"
    raise SettingError(what, place="fallback", hint="the number in place of a missing value")
