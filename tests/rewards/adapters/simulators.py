"""The trainers' side of each adapter: their call shapes and what they do with the answer, as read in their source.

TRL 1.16.0 and 0.24.0 (`GRPOTrainer._calculate_rewards`, AsyncGRPO's `_score_group`), verl 0.9.1 (`naive` of the reward
loop, what the legacy and the v1 trainer do with keys), OpenRLHF 0.11.2 (`openrlhf/utils/agent.py`), ms-swift 4.6.0,
EasyR1 0.3.3 (`verl/workers/reward/function.py`), NeMo-RL 0.6.0, verifiers 0.4.0, skyrl-gym 0.4.0.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import sys
import types
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

Row = dict[str, Any]


class Trl:
    """One rank of TRL 1.16: repeats the columns, calls, and flushes what was logged."""

    def __init__(self, generations: int = 1, logs: bool = True) -> None:
        self.generations, self.logs = generations, logs
        self.extra: dict[str, list[Any]] = defaultdict(list)
        self.metrics: dict[str, list[float]] = defaultdict(list)

    def rewards(self, function: Any, rows: Sequence[Row], completions: Sequence[Any], ids: Any = None) -> list[float]:
        """The column of rewards of one function, None as NaN."""
        inputs = [row for row in rows for _ in range(self.generations)]
        keys = [key for key in inputs[0] if key not in ("prompt", "completion", "completion_ids")]
        columns: dict[str, Any] = {key: [row[key] for row in inputs] for key in keys}
        columns["trainer_state"] = object()
        if self.logs:
            columns["log_extra"] = lambda column, values: self.extra[column].extend(values)
            columns["log_metric"] = lambda name, value: self.metrics[name].append(value)
        prompts = [row["prompt"] for row in inputs]
        found = self._called(
            function, prompts=prompts, completions=completions, completion_ids=ids or [[1]] * len(prompts), **columns
        )
        found = [math.nan if value is None else value for value in found]
        if len(found) != len(prompts):
            raise ValueError("wrong length")
        return np.asarray(found, dtype=np.float32).tolist()

    def _called(self, function: Any, /, **columns: Any) -> Any:
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(function.__call__):
            return asyncio.run(function(**columns))
        return function(**columns)

    def flushed(self) -> dict[str, float]:
        """The metrics of a logging step, as a mean over calls."""
        return {name: sum(values) / len(values) for name, values in sorted(self.metrics.items())}


def async_grpo(functions: Sequence[Any], prompts: list[Any], completions: list[Any], **columns: Any) -> np.ndarray:
    """AsyncGRPO's scoring of one prompt group: no state, no logs, plain functions in threads."""

    async def scored() -> list[Any]:
        call = {"completions": completions, "prompts": prompts, "completion_ids": [[1]] * len(prompts), **columns}
        return await asyncio.gather(
            *[f(**call) if inspect.iscoroutinefunction(f.__call__) else asyncio.to_thread(f, **call) for f in functions]
        )

    return np.array([[math.nan if v is None else v for v in row] for row in asyncio.run(scored())], dtype=float)


class Verl:
    """The naive manager of verl's reward loop, with the keyword arguments of the configuration bound as verl does."""

    def __init__(self, function: Callable[..., Any], **reward_kwargs: Any) -> None:
        if inspect.iscoroutinefunction(function):
            self.compute_score: Any = partial(_call_async, function, reward_kwargs)
        else:
            self.compute_score = partial(_call, function, reward_kwargs)

    def run(self, rows: Sequence[Row], responses: Sequence[str]) -> list[dict[str, Any]]:
        """`reward_score` and `reward_extra_info` of each sample, scored concurrently."""

        async def all_of_them() -> list[dict[str, Any]]:
            return await asyncio.gather(*[self._single(r, s) for r, s in zip(rows, responses, strict=True)])

        return asyncio.run(all_of_them())

    async def _single(self, row: Row, response: str) -> dict[str, Any]:
        extra_info = row.get("extra_info", {})
        extra_info["num_turns"] = 2
        extra_info["rollout_reward_scores"] = {}
        call = {
            "data_source": row["data_source"],
            "solution_str": response,
            "ground_truth": row["reward_model"]["ground_truth"],
            "extra_info": extra_info,
        }
        if inspect.iscoroutinefunction(self.compute_score):
            result = await self.compute_score(**call)
        else:
            result = await asyncio.get_running_loop().run_in_executor(None, lambda: self.compute_score(**call))
        if not isinstance(result, dict):
            return {"reward_score": result, "reward_extra_info": {"acc": result}}
        return {"reward_score": result["score"], "reward_extra_info": dict(result)}


def _call(function: Any, bound: Row, **kwargs: Any) -> Any:
    return function(**{**kwargs, **bound})


async def _call_async(function: Any, bound: Row, **kwargs: Any) -> Any:
    return await function(**{**kwargs, **bound})


def legacy_columns(outputs: Sequence[dict[str, Any]]) -> dict[str, np.ndarray]:
    """The legacy trainer: the keys of the first sample, asked of every one."""
    keys = outputs[0]["reward_extra_info"]
    return {key: np.array([output["reward_extra_info"][key] for output in outputs]) for key in keys}


def v1_columns(outputs: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """The v1 trainer: the union of keys, filled up with None; `reward` is its own."""
    keys = dict.fromkeys(key for output in outputs for key in output["reward_extra_info"])
    found = {key: [output["reward_extra_info"].get(key) for output in outputs] for key in keys}
    assert "reward" not in found
    return {"reward": [output["reward_score"] for output in outputs], **found}


class _Tensor(np.ndarray):
    """As much of a tensor as the recipes and their trainers use."""

    def tolist(self) -> Any:
        return np.asarray(self).tolist()


def _tensor(values: Any, **_: Any) -> _Tensor:
    return np.asarray(values, dtype=float).view(_Tensor)


def _module(name: str, **content: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    for key, value in content.items():
        setattr(module, key, value)
    return module


class ORM:
    """The base class of ms-swift."""

    def __init__(self, args: Any = None, **kwargs: Any) -> None:
        self.args = args


class EnvironmentReturn(NamedTuple):
    """NeMo-RL's."""

    observations: list[dict[str, str]]
    metadata: list[Any]
    next_stop_strings: list[Any]
    rewards: Any
    terminateds: Any
    answers: list[Any] | None = None


_Data = TypeVar("_Data")


class Task(Generic[_Data]):
    """The part of a verifiers task that scores."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def hooks(self, kind: str) -> Iterator[Any]:
        for name in dir(type(self)):
            if getattr(getattr(type(self), name), "kind", "") == kind:
                yield getattr(self, name)

    async def score(self, trace: Any) -> Any:
        """Rewards summed by weight, metrics recorded; what they raise marks the trace."""
        try:
            for hook in self.hooks("metric"):
                found = await hook(trace)
                trace.metrics.update(found if isinstance(found, dict) else {hook.__name__: found})
            trace.reward = sum([hook.weight * await hook(trace) for hook in self.hooks("reward")])
        except Exception as error:  # noqa: BLE001  # as it does
            trace.error = error
        return trace


def _marked(kind: str) -> Callable[..., Any]:
    def marker(function: Any = None, weight: float = 1.0) -> Any:
        if function is None:
            return partial(marker, weight=weight)
        function.kind, function.weight = kind, weight
        return function

    return marker


class TaskData(types.SimpleNamespace):
    """A row of a verifiers task."""


class BaseTextEnv:
    """SkyRL's."""

    def __init__(self) -> None:
        self.turns = 0


def stand_ins(torch: types.ModuleType | None = None) -> dict[str, types.ModuleType]:
    """The trainers' modules, as far as the recipes import them; numpy in place of torch unless that is given."""
    small = _module("torch", tensor=_tensor, ones=lambda n: _tensor([1.0] * n))
    verifiers = _module(
        "verifiers.v1", Task=Task, TaskData=TaskData, Trace=object, reward=_marked("reward"), metric=_marked("metric")
    )
    interfaces = _module(
        "nemo_rl.environments.interfaces", EnvironmentInterface=object, EnvironmentReturn=EnvironmentReturn
    )
    text_env = _module("skyrl_gym.envs.base_text_env", BaseTextEnv=BaseTextEnv, BaseTextEnvStepOutput=dict)
    return {
        "torch": torch or small,
        "ray": _module("ray", remote=lambda cls: cls),
        "swift": _module("swift"),
        "swift.rewards": _module("swift.rewards", ORM=ORM, orms={}),
        "nemo_rl": _module("nemo_rl"),
        "nemo_rl.environments": _module("nemo_rl.environments"),
        "nemo_rl.environments.interfaces": interfaces,
        "verifiers": _module("verifiers", v1=verifiers),
        "verifiers.v1": verifiers,
        "skyrl_gym": _module("skyrl_gym"),
        "skyrl_gym.envs": _module("skyrl_gym.envs"),
        "skyrl_gym.envs.base_text_env": text_env,
    }


@contextmanager
def installed(modules: dict[str, types.ModuleType]) -> Iterator[None]:
    """As if these modules were installed."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def openrlhf(reward_func: Any, query: str, prompt: str, label: str) -> dict[str, float]:
    """One rollout: the function in a thread with lists of one; the numbers that the trainer takes out of its answer."""

    async def fetched() -> list[dict[str, Any]]:
        return await asyncio.gather(asyncio.to_thread(reward_func, [query], [prompt], [label]))

    info = asyncio.run(fetched())[0]
    score = info.get("scores")
    taken = {"reward": info.get("rewards"), "score": info.get("rewards") if score is None else score}
    taken |= info.get("extra_logs") or {}
    return {key: float(value.flatten()[0].item()) for key, value in taken.items()}


def swift(cls: Any, rows: Sequence[Row], completions: Sequence[str], **more: Any) -> list[float]:
    """ms-swift: made once, called with the completions as position and everything else by name."""
    function = cls(args=None)
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    count = len(rows)
    columns |= {
        "request_id": [str(i) for i in range(count)],
        "finish_reason": ["stop"] * count,
        "trainer_state": object(),
    }
    return [math.nan if value is None else value for value in function(completions, **{**columns, **more})]


def easyr1(function: Any, responses: Sequence[str], truths: Sequence[str], **kwargs: Any) -> dict[str, list[float]]:
    """EasyR1's batch manager: the reward tensor under `overall`, every key as a metric."""
    inputs = [
        {"response": r, "response_length": len(r), "ground_truth": t} for r, t in zip(responses, truths, strict=True)
    ]
    scores = partial(function, **kwargs)(inputs)
    assert len(scores) == len(inputs)
    metrics = defaultdict(list)
    for score in scores:
        float(score["overall"])
        for key, value in score.items():
            metrics[key].append(value)
    assert len({len(values) for values in metrics.values()}) == 1
    return metrics


async def rubric(function: Any, completion: Any, answer: str) -> float:
    """The older Rubric of verifiers: arguments by name, a plural name makes a function of a group, errors are 0."""
    accepted = inspect.signature(function).parameters
    assert not {"completions", "prompts", "answers", "states", "tasks", "infos"} & set(accepted)
    offered = {"prompt": "p", "completion": completion, "answer": answer, "state": {}, "info": {}, "task": "cabs"}
    takes_all = any(p.kind is p.VAR_KEYWORD for p in accepted.values())
    given = offered if takes_all else {name: offered[name] for name in accepted}
    try:
        found = function(**given)
        return float(await found if inspect.isawaitable(found) else found)
    except Exception:  # noqa: BLE001  # as it does
        return 0.0
