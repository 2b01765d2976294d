"""The contract of rewards: a pure function from examples to results, with a declared range and fixed components."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from cabs.errors import CabsError, SettingError
from cabs.rewards.example import Example
from cabs.rewards.result import STATUSES, RewardResult
from cabs.version import __version__

Range: TypeAlias = tuple[float | None, float | None]
Scale = Literal["raw", "unit"]
Work: TypeAlias = Callable[[Sequence[Example]], Sequence[RewardResult]]

Settings: TypeAlias = tuple[tuple[str, str], ...]

SLACK = 1e-9
"""How far rounding may carry a value out of its range; it is then put back."""


def _no_settings() -> Settings:
    return ()


@dataclass(frozen=True, kw_only=True)
class Reward:
    """A reward by its canonical `name`; more is always better.

    - range: the least and the greatest value that it can give, in its own scale (None: no bound).
    - scale: "raw" leaves values as they are, "unit" maps the range to [0, 1].
    - components: the keys that every result has, in this order.
    - work: gives one result an example, in order, from its arguments alone. It is picklable and may run in any thread.
    - settings: what changes values.

    Raises `SettingError` where the scale is unknown, or is "unit" and the range has no bound.
    """

    name: str
    label: str
    range: Range
    components: tuple[str, ...]
    work: Work
    scale: Scale = "raw"
    settings: Callable[[], Settings] = _no_settings
    package: str = "cabs"

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise SettingError(f"{self.scale!r} is no scale", place="scale", hint="one of: raw, unit")
        if self.scale == "unit" and None in self.range:
            what = f"the range of reward {self.name!r} has no bound"
            raise SettingError(what, place="scale", hint="leave its scale raw")

    @property
    def bounds(self) -> Range:
        """The range of the values that it gives, in the chosen scale."""
        return (0.0, 1.0) if self.scale == "unit" else self.range

    @property
    def signature(self) -> str:
        """Everything that changes values in one line: `tif|cabs:0.1.0|gamma:0|...|scale:unit`."""
        parts = (("cabs", __version__), *self.settings(), ("scale", self.scale))
        return "|".join((self.name, *(f"{name}:{text}" for name, text in parts)))

    def score_batch(self, examples: Iterable[Example], *, strict: bool = False) -> list[RewardResult]:
        """One result an example, in order; none for no examples.

        A sample that can't be scored has a value of None and says why; it never takes the others with it. `strict`
        raises instead, for tests and for looking into a failure.

        Raises:
            CabsError: with `strict`, the first failure; always, where the reward breaks its own contract.
        """
        asked = list(examples)
        try:
            found = list(self.work(asked))
        except Exception as error:  # whatever a plug-in does, a training run has to live through it
            if strict:
                raise
            found = [failed(self.components, error)] * len(asked)
        if len(found) != len(asked):
            what = f"{len(found)} results for {len(asked)} examples"
            raise CabsError(what, place=f"reward {self.name!r} of {self.package}", hint="one an example, in order")
        if strict:
            self._refuse(found)
        return [self._fitting(result) for result in found]

    def _refuse(self, found: Sequence[RewardResult]) -> None:
        for at, result in enumerate(found):
            if result.status == "error":
                raise CabsError(result.reason, place=f"reward {self.name!r}, example {at}")

    def _fitting(self, result: RewardResult) -> RewardResult:
        numbers = [*result.components.values(), *(() if result.value is None else (result.value,))]
        fits = tuple(result.components) == self.components and result.status in STATUSES
        if not fits or not all(map(math.isfinite, numbers)):
            what = f"a result breaks the contract: {result}"
            hint = f"finite numbers under {', '.join(self.components)}"
            raise CabsError(what, place=f"reward {self.name!r} of {self.package}", hint=hint)
        return result if result.value is None else replace(result, value=self._scaled(result.value))

    def _scaled(self, value: float) -> float:
        least, greatest = self.range
        low = -math.inf if least is None else least
        high = math.inf if greatest is None else greatest
        if not low - SLACK <= value <= high + SLACK:
            raise CabsError(f"a value of {value} is outside {low} to {high}", place=f"reward {self.name!r}")
        kept = min(max(value, low), high)
        return (kept - low) / (high - low) if self.scale == "unit" else kept


def failed(components: Sequence[str], error: Exception) -> RewardResult:
    """The result of a sample that could not be scored."""
    said = str(error) if isinstance(error, CabsError) else f"{type(error).__name__}: {error}"
    return RewardResult(None, dict.fromkeys(components, 0.0), "error", said)


def each(score: Callable[[Example], RewardResult], components: Sequence[str]) -> Work:
    """The work of a reward that looks at one example at a time: a failure stays with its example."""
    return _Each(score, tuple(components))


@dataclass(frozen=True)
class _Each:
    score: Callable[[Example], RewardResult]
    components: tuple[str, ...]

    def __call__(self, examples: Sequence[Example]) -> list[RewardResult]:
        return [self._one(example) for example in examples]

    def _one(self, example: Example) -> RewardResult:
        try:
            return self.score(example)
        except Exception as error:  # noqa: BLE001  # one sample must not take a rank of a training run with it
            return failed(self.components, error)
