"""The checks that every reward of CABS passes, for the authors of others.

    import pytest
    from cabs.rewards import reward
    from cabs.testing import REWARD_CHECKS

    @pytest.mark.parametrize("check", REWARD_CHECKS)
    def test_contract(check):
        check(reward("my_reward"))

Each check takes a `Reward` and, if you like, examples of your own, the first of which it can score. It raises
`AssertionError` with what is wrong.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from math import isfinite

from cabs.registry import NAME
from cabs.rewards.example import Example
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward
from cabs.testing.metrics import examples as pairs

Check = Callable[..., None]

THREADS = 8
ODD: tuple[object, ...] = (None, 5, [], [5], {}, "", "<think>", "x" * 50_000, "\x00\ud800", [{"role": "user"}])
"""Completions, or references, that trainers hand over on a bad day."""


def examples() -> list[Example]:
    """Some completions of the shipped example (invented) with section tags, then a reference as its own completion."""
    return [Example(_tagged(prediction), _tagged(reference)) for reference, prediction in pairs()]


def _tagged(text: str) -> str:
    return f"<findings>{text}</findings>\n<impression>{text}</impression>"


def check_described(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """It says what it is: name, label, range, components, a signature of one line."""
    del given
    _that(NAME.fullmatch(reward.name.partition(":")[0]), reward, "its name is lower-case letters, digits and _")
    least, greatest = reward.range
    _that(least is None or greatest is None or least < greatest, reward, "its range goes from less to more")
    _that(reward.label.strip(), reward, "it has a label")
    _that(len({*reward.components}) == len(reward.components) > 0, reward, "its components have names of their own")
    _that(
        reward.signature.startswith(f"{reward.name}|") and "\n" not in reward.signature,
        reward,
        "its signature is a line that starts with its name",
    )


def check_results(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """One result an example, with the declared components; a value in its range for the first; none for no examples."""
    chosen = _given(given)
    found = reward.score_batch(chosen, strict=True)
    least, greatest = reward.bounds
    _that(len(found) == len(chosen), reward, "one result an example")
    _that(found[0].value is not None, reward, "the first example has a value")
    for result in found:
        _fits(reward, result)
        value = result.value
        low, high = (value if bound is None else bound for bound in (least, greatest))
        _that(value is None or low <= value <= high, reward, f"no value is outside {least} to {greatest}")  # type: ignore[operator]
    _that(reward.score_batch([]) == [], reward, "no examples have no results")


def check_same_again(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """The same examples give the same results: once more, alone, in another order, in threads, in a copy of it."""
    chosen = _given(given)
    first = reward.score_batch(chosen)
    _that(reward.score_batch(chosen) == first, reward, "a second call gives the same")
    _that([reward.score_batch([one])[0] for one in chosen] == first, reward, "an example alone gives the same")
    _that(reward.score_batch(chosen[::-1]) == first[::-1], reward, "results follow their examples")
    with ThreadPoolExecutor(THREADS) as threads:
        several = list(threads.map(reward.score_batch, [chosen] * THREADS * 2))
    _that(all(found == first for found in several), reward, "threads give the same")
    copy = pickle.loads(pickle.dumps(reward))  # its own bytes
    _that(copy.score_batch(chosen) == first, reward, "it can be pickled, and the copy gives the same")


def check_untouched(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """It leaves its arguments as they are: trainers hand the same objects to several samples."""
    chosen = _given(given)
    before = deepcopy([(e.completion, e.reference, dict(e.fields)) for e in chosen])
    reward.score_batch(chosen)
    _that([(e.completion, e.reference, dict(e.fields)) for e in chosen] == before, reward, "examples stay as they are")


def check_odd(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """Nothing that a trainer hands over raises, and a bad sample takes no other with it."""
    good = _given(given)[0]
    odd = [Example(completion, good.reference, fields=good.fields) for completion in ODD]
    odd += [Example(good.completion, reference, fields=good.fields) for reference in ODD]
    found = reward.score_batch([good, *odd, good])
    _that(found[0] == found[-1] == reward.score_batch([good])[0], reward, "a bad sample takes no other with it")
    for result in found:
        _fits(reward, result)


REWARD_CHECKS: tuple[Check, ...] = (check_described, check_results, check_same_again, check_untouched, check_odd)
"""All checks of a reward."""


def check_reward(reward: Reward, given: Sequence[Example] | None = None) -> None:
    """Every check.

    Raises:
        AssertionError: one of them fails.
    """
    for check in REWARD_CHECKS:
        check(reward, given)


def _given(given: Sequence[Example] | None) -> Sequence[Example]:
    return examples() if given is None else given


def _fits(reward: Reward, result: RewardResult) -> None:
    _that(tuple(result.components) == reward.components, reward, "every result has the declared components, in order")
    _that(all(map(isfinite, result.components.values())), reward, "components are finite numbers")
    _that((result.value is None) == (result.status in ("unscorable", "error")), reward, "no value without a score")
    _that(bool(result.reason) == (result.status != "ok"), reward, "what is not ok says why")
    if result.value is None:
        _that(not any(result.components.values()), reward, "components are 0 where there is no value")


def _that(holds: object, reward: Reward, what: str) -> None:
    if not holds:
        raise AssertionError(f"reward {reward.name!r} of {reward.package!r}; expected: {what}")
