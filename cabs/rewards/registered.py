"""Rewards by name: the presets, those that other packages bring (entry points, group `cabs.rewards`), and every
registered metric.

A name may carry options, as in `tif:gamma=0` or `rouge_l`; it stays the name of the reward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cabs.errors import CabsError, SettingError
from cabs.metrics.registered import METRICS
from cabs.registry import Registry, keywords_of, offer, refuse_unknown, spelled_name
from cabs.rewards.example import Example
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, Scale

GROUP = "cabs.rewards"

BUILTIN: Mapping[str, str] = {
    "tif": "cabs.rewards.presets:tif",
    "tif_paper": "cabs.rewards.presets:tif_paper",
    "tif_no_running_cost": "cabs.rewards.presets:tif",
    "tif_no_control_effort": "cabs.rewards.presets:tif",
    "cabs_f1": "cabs.rewards.counted:counted",
    "fc_f1": "cabs.rewards.counted:counted",
    "cabs_score": "cabs.rewards.counted:counted",
    "emrl": "cabs.rewards.emrl.preset:emrl",
    "med3d": "cabs.rewards.med3d.preset:med3d",
    "llm_judge": "cabs.llm.reward:llm_judge",
}
"""name → the function that makes the `Reward` of the name and options."""

REWARDS = Registry("reward", GROUP, BUILTIN)


def reward(spelled: str, *, scale: Scale = "raw", **options: Any) -> Reward:
    """The reward of a name, which may carry options (`NAME:KEY=VALUE,KEY=VALUE`); more of them as keywords.

    A name that is no reward but a registered metric gives that metric as a reward.

    Raises:
        SettingError: the name, an option or the scale is unknown; CabsError: another package's reward can't be loaded.
    """
    name, written = spelled_name(spelled, "reward")
    chosen = {**written, **options}
    scale = chosen.pop("scale", scale)
    if name in REWARDS.names:
        found = _made(name, chosen)
    elif name in METRICS.names:
        from cabs.rewards.measured import measured

        found = measured(name, **chosen)
    else:
        known = (*REWARDS.names, *METRICS.names)
        raise SettingError(f"there is no reward {name!r}", place="reward", hint=offer(name, known))
    return replace(found, name=spelled, scale=scale)


def _made(name: str, options: Mapping[str, Any]) -> Reward:
    maker = REWARDS.load(name)
    if not callable(maker):
        raise CabsError(f"{name!r} is no reward", place=_package(name), hint="its metadata has to name what makes one")
    refuse_unknown(options, keywords_of(maker), f"reward {name!r}")
    found = maker(name, **options)
    if not isinstance(found, Reward):
        raise CabsError("this is no reward", place=f"{_package(name)}, reward {name!r}", hint="it has to make a Reward")
    return found


def _package(name: str) -> str:
    return f"package {REWARDS.entries[name].package!r}"


def score_batch(examples: Iterable[Example], name: str = "tif", **options: Any) -> list[RewardResult]:
    """The results of one reward, made by name: `reward(name, **options).score_batch(examples)`.

    >>> from cabs.rewards import Example, score_batch
    >>> said = "<findings>There is a left pleural effusion.</findings><impression>Left pleural effusion.</impression>"
    >>> [result.value for result in score_batch([Example(said, said)])]
    [1.0]
    """
    return reward(name, **options).score_batch(examples)
