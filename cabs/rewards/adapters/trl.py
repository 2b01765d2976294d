"""The reward as TRL calls it: lists by keyword, one number or None a completion.

`GRPOTrainer(reward_funcs=trl_reward("tif", reference="report"), ...)`. RLOO, AsyncGRPO, Unsloth and older versions of
TRL call in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cabs.errors import InputError
from cabs.rewards.adapters.columns import column, rows
from cabs.rewards.adapters.means import means
from cabs.rewards.adapters.scorer import Scorer, Truncated, scorer
from cabs.rewards.adapters.threads import Turns
from cabs.rewards.completion import answer_of
from cabs.rewards.example import Example
from cabs.rewards.groups import dead_groups, duplicates, repeated
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, Scale

_OWN = frozenset({"trainer_state", "environments"})
"""What TRL hands over beside the columns of the data."""


class _Batches:
    """Batches in TRL's call shape → values, with everything logged that the trainer takes."""

    def __init__(self, scorer: Scorer, reference: str, eos: frozenset[int]) -> None:
        self.scorer, self.reference, self.eos = scorer, reference, eos
        self.prefix = f"cabs/{scorer.name}"
        self.__name__ = f"cabs_{scorer.name}"

    def values(
        self,
        /,
        prompts: Sequence[object] | None = None,
        completions: Sequence[object] | None = None,
        completion_ids: Sequence[Iterable[int]] | None = None,
        log_extra: Callable[[str, list[Any]], object] | None = None,
        log_metric: Callable[[str, float], object] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        answers = list(completions) if completions is not None else []
        references = self._references(columns, len(answers))
        results = self.scorer.results(self._examples(answers, references, completion_ids, columns))
        values = [None if result.value is None else float(result.value) for result in results]
        if log_metric is not None and results:
            self._log_metrics(log_metric, results, _shares(_groups(prompts, references), answers, values))
        if log_extra is not None and results:
            self._log_columns(log_extra, results)
        return values

    def _references(self, columns: dict[str, Any], samples: int) -> list[object]:
        """The column of references; an error where the data lacks it, since no sample of the run could be scored."""
        place = f"{self.__name__}: column {self.reference!r}"
        if self.reference not in columns:
            told = ", ".join(sorted(columns.keys() - _OWN)) or "none beside the prompt"
            raise InputError("the batch has no such column", place=place, hint=f"reference= names one of: {told}")
        return column(columns[self.reference], samples, place)

    def _examples(
        self, answers: list[object], references: list[object], ids: Sequence[Iterable[int]] | None, columns: Any
    ) -> list[Example]:
        known = self.eos and ids is not None and len(ids) == len(answers)
        cut = [self._without_end(one) for one in ids] if known and ids is not None else [None] * len(answers)
        others = rows({n: given for n, given in columns.items() if n not in _OWN}, len(answers))
        parts = zip(answers, references, cut, others, strict=True)
        return [Example(answer, told, limit, fields=fields) for answer, told, limit, fields in parts]

    def _without_end(self, ids: Any) -> bool:
        listed = list(ids.tolist() if hasattr(ids, "tolist") else ids)
        return bool(listed) and self.eos.isdisjoint(listed)

    def _log_metrics(
        self, log: Callable[[str, float], object], results: list[RewardResult], shares: dict[str, float]
    ) -> None:
        for name, number in {**means(self.scorer.reward, results), **shares}.items():
            log(f"{self.prefix}/{name}", number)

    def _log_columns(self, log: Callable[[str, list[Any]], object], results: list[RewardResult]) -> None:
        for name in self.scorer.reward.components:
            log(f"{self.prefix}/{name}", [float(result.components[name]) for result in results])
        log(f"{self.prefix}/status", [result.status for result in results])
        log(f"{self.prefix}/reason", [result.reason for result in results])


class TrlReward(_Batches):
    """See `trl_reward`."""

    def __call__(self, /, prompts: Any = None, completions: Any = None, **columns: Any) -> list[float | None]:
        """One value a completion, in order; None where there is none.

        Raises:
            InputError: the batch lacks the column of references, or it isn't one value a completion.
        """
        return self.values(prompts, completions, **columns)


class TrlRewardAsync(_Batches):
    """See `trl_reward_async`."""

    def __init__(self, scorer: Scorer, reference: str, eos: frozenset[int], turns: Turns) -> None:
        super().__init__(scorer, reference, eos)
        self.turns = turns

    async def __call__(self, /, prompts: Any = None, completions: Any = None, **columns: Any) -> list[float | None]:
        """As `TrlReward`, in a thread."""
        return await self.turns.take(self.values, prompts, completions, **columns)


def trl_reward(
    reward: str | Reward = "tif",
    *,
    reference: str = "reference",
    truncated: Truncated = "score",
    eos_token_id: int | Iterable[int] | None = None,
    log: str | None = None,
    scale: Scale = "raw",
    name: str | None = None,
    **options: Any,
) -> TrlReward:
    """A reward function for TRL. It has a `__name__` by its options, pickles, and may be called from any thread.

    - reward: a name (`tif`, `tif:gamma=0`, a registered metric), with its `options`, or a `Reward`.
    - reference: the column of the data that holds the reference (see `Example`; a JSON string always works).
    - truncated: what a cut answer is worth: "score", what it says; "none", no value, so that it leaves its group;
      "zero", 0.
    - eos_token_id: the tokenizer's; a completion without one was cut by the limit. Without it that is not known.
    - log: a file for component means, for versions of TRL without `log_metric`.
    - name: under which it is logged (`cabs_NAME`); by default its own with its options.

    A sample without a value is None: its advantage is 0, and it leaves the baseline of its group. It is never 0, and
    nothing that a sample says raises. Give a trainer one such function: beside a second one, None would count as 0.

    Raises:
        SettingError: something of this is unknown; OutputError: the folder of the log is missing.
    """
    named = {} if reference == "reference" else {"reference": reference}
    made = scorer(reward, options, named=named, truncated=truncated, log=log, scale=scale, name=name)
    return TrlReward(made, reference, _ids(eos_token_id))


def trl_reward_async(reward: str | Reward = "tif", *, concurrency: int = 4, **options: Any) -> TrlRewardAsync:
    """As `trl_reward`, which says what the `options` are, for trainers that await: batches are scored in threads, at
    most `concurrency` at a time.

    Raises:
        SettingError: something of this is unknown; OutputError: the folder of the log is missing.
    """
    made = trl_reward(reward, **options)
    return TrlRewardAsync(made.scorer, made.reference, made.eos, Turns(concurrency))


def _groups(prompts: Sequence[object] | None, references: list[object]) -> list[tuple[str, str]]:
    """What the samples of one prompt share: its words and the reference. Pictures play no part, since a trainer may
    decode them anew for every sample."""
    asked = prompts if prompts is not None and len(prompts) == len(references) else [None] * len(references)
    return [(_words(prompt), repr(reference)) for prompt, reference in zip(asked, references, strict=True)]


def _words(prompt: object) -> str:
    try:
        return "\n".join(answer_of(part).text for part in (prompt if isinstance(prompt, list) else [prompt]))
    except InputError:
        return repr(prompt)


def _shares(groups: list[tuple[str, str]], answers: list[object], values: list[float | None]) -> dict[str, float]:
    return {
        "dead": dead_groups(groups, values) or 0.0,
        "repeated": repeated(groups, answers),
        "duplicates": duplicates(groups, answers),
    }


def _ids(given: int | Iterable[int] | None) -> frozenset[int]:
    if given is None:
        return frozenset()
    return frozenset([given] if isinstance(given, int) else given)
