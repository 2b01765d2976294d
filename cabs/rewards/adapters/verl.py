"""The reward as verl calls it: one sample a call, a number or a dictionary back.

`reward.custom_reward_function.path=pkg://cabs.rewards.adapters.verl`, `.name=compute_score` (or `compute_score_async`);
`reward.reward_kwargs` holds the keyword arguments. The path of this file does as well.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cabs.errors import CabsError, SettingError
from cabs.io import tif
from cabs.rewards.adapters.generic import RewardFunction
from cabs.rewards.adapters.scorer import Truncated
from cabs.rewards.adapters.threads import Turns
from cabs.rewards.example import Example
from cabs.rewards.registered import reward as reward_of
from cabs.rewards.reward import Scale

KNOWN = frozenset({"reward_router_address", "reward_model_tokenizer"})
"""Keyword arguments of verl's own that have no meaning here."""

_TURNS = Turns(8)
_LOGGER = logging.getLogger("cabs.rewards")


def compute_score(
    data_source: object = None,
    solution_str: object = "",
    ground_truth: object = None,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: str = "tif",
    fallback: float | None = None,
    truncated: Truncated = "score",
    scale: Scale = "raw",
    raise_on_failure: bool = False,
    detail: bool = True,
    log: str | None = None,
    **kwargs: Any,
) -> float | dict[str, float]:
    """The reward of one response, finite; with `detail` as `{"score": ..., "cabs_...": ...}`, whose keys are always the
    same in the same order. Thread-safe; its arguments are only read.

    - ground_truth: the reference, as text or JSON. The record of [TIF] has its facts in
      `extra_info["info"]["findings_abnormality_entity"]`; they then stand in its place.
    - reward: a name with its options, `tif:gamma=0`. fallback, truncated, scale, log: see `RewardFunction`.
    - raise_on_failure: raise where there is no value, so that verl's v1 trainer marks the rollout as failed.
    - data_source, extra_info: also the fields of the sample, for rewards that use them.
    - other keyword arguments are options of the reward (`gamma=0`, `form="headings"`); one that it does not have, and
      that is not verl's own either, is warned of once.

    Raises:
        SettingError: the reward or one of its options is unknown; CabsError: with `raise_on_failure`, there is no
            value.
    """
    given = tuple(sorted((name, kwargs[name]) for name in kwargs.keys() - KNOWN if _plain(kwargs[name])))
    function = _function(reward, fallback, truncated, scale, log, given)
    fields = {"data_source": data_source, **(extra_info if isinstance(extra_info, Mapping) else {})}
    result = function.result(Example(solution_str, _reference(ground_truth, extra_info), fields=fields))
    if result.value is None and raise_on_failure:
        raise CabsError(result.reason, place=f"reward {reward!r}, {result.status}")
    return function.row(result) if detail else function.value(result)


async def compute_score_async(
    data_source: object = None,
    solution_str: object = "",
    ground_truth: object = None,
    extra_info: Mapping[str, Any] | None = None,
    **kwargs: Any,
) -> float | dict[str, float]:
    """As `compute_score`, in a thread, at most eight at a time in an event loop."""
    return await _TURNS.take(compute_score, data_source, solution_str, ground_truth, extra_info, **kwargs)


def _reference(ground_truth: object, extra_info: Mapping[str, Any] | None) -> object:
    info = extra_info.get("info") if isinstance(extra_info, Mapping) else None
    if not isinstance(info, Mapping):
        return ground_truth
    told = {name: value for name, value in info.items() if value is not None}  # Arrow fills up missing keys with None
    record: dict[str, object] = {"extra_info": {"info": told}}
    if not tif.matches(record):
        return ground_truth
    if isinstance(ground_truth, str) and ground_truth:
        record["reward_model"] = {"ground_truth": ground_truth}
    return record


@lru_cache(maxsize=64)
def _function(
    reward: str,
    fallback: float | None,
    truncated: Truncated,
    scale: Scale,
    log: str | None,
    given: tuple[tuple[str, Any], ...],
) -> RewardFunction:
    options = {name: value for name, value in given if _accepts(reward, name, value)}
    if ignored := [name for name, _ in given if name not in options]:
        _LOGGER.warning("compute_score ignores %s, which reward %s does not have", ", ".join(ignored), reward)
    return RewardFunction(reward, fallback=fallback, truncated=truncated, scale=scale, log=log, **options)


def _plain(value: object) -> bool:
    """Whether a value can be an option; a trainer's own objects can't."""
    return isinstance(value, str | int | float)


def _accepts(reward: str, name: str, value: Any) -> bool:
    """Whether an option is one of the reward's. A trainer of another version may hand over keywords of its own.

    Raises:
        SettingError: the option is one, and its value can't be understood.
    """
    try:
        reward_of(reward, **{name: value})
    except SettingError as error:
        if "is no option of it" in error.message:
            return False
        raise
    return True
