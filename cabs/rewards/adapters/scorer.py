"""What all adapters share: a batch of examples → one result each, whatever happens, by one policy for cut answers."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from cabs.errors import OutputError, SettingError
from cabs.rewards.adapters.log import log_at
from cabs.rewards.adapters.naming import name_of, safe
from cabs.rewards.example import Example
from cabs.rewards.registered import reward as reward_of
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, Scale, failed

Truncated = Literal["score", "none", "zero"]
TOLD = 20
"""Different failures that are told per process; the others are counted in the metrics."""

_LOGGER = logging.getLogger("cabs.rewards")
_told: set[str] = set()


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """A reward with the policy of a training run, under the `name` by which it is logged. Picklable, thread-safe.

    - truncated: what a cut answer is worth (status "truncated"): "score", what it says; "none", no value; "zero", 0.
    - log: a file to which component means are appended (see `cabs.rewards.adapters.log`); None writes none.

    Raises `SettingError` where the policy is unknown, or is "zero" and 0 is not the least that the reward gives;
    `OutputError` where the folder of the log is missing.
    """

    name: str
    reward: Reward
    truncated: Truncated = "score"
    log: str | None = None

    def __post_init__(self) -> None:
        if self.truncated not in get_args(Truncated):
            hint = f"one of: {', '.join(get_args(Truncated))}"
            raise SettingError(f"{self.truncated!r} is no policy", place="truncated", hint=hint)
        if self.truncated == "zero" and self.reward.bounds[0] != 0.0:
            what = f"0 is not the least value of reward {self.reward.name!r}"
            raise SettingError(what, place="truncated", hint="use none, or scale=unit")
        if self.log is not None:
            log_at(self.log)

    def results(self, examples: Iterable[Example]) -> list[RewardResult]:
        """One result an example, in order; none for no examples. Never raises for what a sample or a reward does: a
        failure is a result without a value, and told once."""
        asked = list(examples)
        try:
            found = self.reward.score_batch(asked)
        except Exception as error:  # noqa: BLE001  # a reward of another package that breaks its contract
            found = [failed(self.reward.components, error)] * len(asked)
        kept = [self._kept(result) for result in found]
        for result in kept:
            if result.status == "error":
                _tell(f"reward {self.name!r} gave no value: {result.reason}")
        self._write(kept)
        return kept

    def _kept(self, result: RewardResult) -> RewardResult:
        if result.status != "truncated" or self.truncated == "score":
            return result
        if self.truncated == "zero":
            return replace(result, value=0.0)
        return replace(result, value=None, components=dict.fromkeys(result.components, 0.0))

    def _write(self, results: list[RewardResult]) -> None:
        if self.log is None:
            return
        try:
            log_at(self.log).add(self.name, self.reward, results)
        except OutputError as error:  # another process may run where the folder does not exist
            _tell(str(error))


def scorer(
    reward: str | Reward,
    options: Mapping[str, Any],
    *,
    truncated: Truncated,
    log: str | None,
    scale: Scale,
    name: str | None,
    named: Mapping[str, Any],
) -> Scorer:
    """The scorer of a reward: its name with `options` as `cabs.rewards.reward` takes them, or a `Reward`.

    name: under which it is logged; by default its own with `options`, policy and the settings in `named`, as far as
    they are not as usual. Of a finished `Reward` its name alone is known, and its scale.

    Raises:
        SettingError: the reward, an option or the policy is unknown, or a finished `Reward` comes with options.
    """
    policy = {"truncated": truncated} if truncated != "score" else {}
    given = {"scale": scale} if scale != "raw" else {}
    scaled = {"scale": reward.scale} if isinstance(reward, Reward) and reward.scale != "raw" else given
    log = None if log is None else str(Path(log).absolute())  # a trainer may change the folder it works in
    name = safe(name) if name else name_of(reward, {**options, **named, **policy, **scaled})
    if not isinstance(reward, Reward):
        return Scorer(name=name, reward=reward_of(reward, scale=scale, **options), truncated=truncated, log=log)
    if options or given:
        what = f"a finished reward takes no {', '.join([*options, *given])}"
        raise SettingError(what, place=f"reward {reward.name!r}", hint="give it when the reward is made")
    return Scorer(name=name, reward=reward, truncated=truncated, log=log)


def _tell(what: str) -> None:
    if what not in _told and len(_told) < TOLD:
        _told.add(what)
        _LOGGER.warning("%s", what)
