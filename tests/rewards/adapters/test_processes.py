"""Threads, event loops and processes: the same numbers as one call after the other."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cabs.rewards.adapters import verl
from cabs.rewards.adapters.generic import RewardFunction
from cabs.rewards.adapters.threads import Turns
from cabs.rewards.adapters.trl import trl_reward, trl_reward_async
from tests.rewards.adapters.reports import HALF, ODD, RECORD, REFERENCE, WRONG

CALLS = [(said, told) for said in (REFERENCE, HALF, WRONG, *ODD) for told in (REFERENCE, HALF, None)]


def one(call: tuple[object, object]) -> list[float | None]:
    said, told = call
    return [
        *trl_reward("tif")(completions=[said], reference=[told]),
        verl.compute_score("r", said, told, RECORD if told == HALF else None, detail=False),
        *RewardFunction("tif_paper")([said], [told]),
    ]


def test_thirty_two_threads_are_one_after_the_other() -> None:
    serial = [one(call) for call in CALLS]
    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(one, CALLS)) == serial


MADE = [
    trl_reward("tif", gamma=0, eos_token_id=2),
    RewardFunction("tif_paper", scale="unit", fallback=0.5),
    RewardFunction("rouge_l"),
]


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_pickled_it_is_the_same(made) -> None:
    again = pickle.loads(pickle.dumps(made))
    assert again.__name__ == made.__name__
    call = (
        (lambda f: f(completions=[HALF], reference=[REFERENCE]))
        if "gamma" in made.__name__
        else (lambda f: f([HALF], [REFERENCE]))
    )
    assert call(again) == call(made)


def test_the_async_one_pickles_with_its_turns() -> None:
    made = trl_reward_async("tif", concurrency=2)
    call = {"completions": [HALF], "reference": [REFERENCE]}
    expected = asyncio.run(made(**call))
    again = pickle.loads(pickle.dumps(made))
    assert again.turns.most == 2
    assert asyncio.run(again(**call)) == expected == trl_reward("tif")(**call)


def test_functions_of_verl_pickle_by_name() -> None:
    assert pickle.loads(pickle.dumps(verl.compute_score)) is verl.compute_score


def test_a_spawned_process_gives_the_same() -> None:
    function = trl_reward("tif")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(function, (), {"completions": [HALF, 5], "reference": [REFERENCE] * 2})
        scored = pool.apply(verl.compute_score, ("r", HALF, REFERENCE, None))
    assert found == function(completions=[HALF, 5], reference=[REFERENCE] * 2)
    assert scored == verl.compute_score("r", HALF, REFERENCE, None)


def test_so_many_at_a_time_and_no_more() -> None:
    turns, running, most, lock = Turns(3), 0, 0, threading.Lock()
    met = threading.Barrier(3, timeout=20)

    def work() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        met.wait()
        with lock:
            running -= 1

    async def all_of_them() -> None:
        await asyncio.gather(*[turns.take(work) for _ in range(9)])

    asyncio.run(all_of_them())
    asyncio.run(all_of_them())
    assert most == 3


def test_the_loop_runs_on_while_a_batch_is_scored() -> None:
    async def both() -> list[str]:
        done: list[str] = []
        inside, outside = threading.Event(), threading.Event()

        def slow() -> None:
            inside.set()
            outside.wait(20)
            done.append("slow")

        async def other() -> None:
            while not inside.is_set():
                await asyncio.sleep(0.001)
            done.append("other")
            outside.set()

        await asyncio.gather(Turns(1).take(slow), other())
        return done

    assert asyncio.run(both()) == ["other", "slow"]


def test_no_trainer_is_imported(python) -> None:
    code = """
import json, sys
from cabs.rewards.adapters import generic, log, trl, verl
verl.compute_score("r", "a", "b")
print(json.dumps(sorted(sys.modules)))
"""
    loaded = json.loads(python(code).stdout)
    assert {"trl", "verl", "ray", "torch", "transformers", "datasets"}.isdisjoint(loaded)
    assert "cabs.rewards.adapters.trl" in loaded
