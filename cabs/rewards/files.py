"""The files of a run of rewards over rollouts: results.json and a row for each sample and reward."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cabs.io.formula import harmless
from cabs.io.jsontext import json_page
from cabs.io.output import staged, write_bytes
from cabs.io.tables import Column, Row, write_csv
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward
from cabs.rewards.rollouts import Rollout
from cabs.rewards.summary import Summary

RESULTS, SAMPLES = "results.json", "samples.csv"
FILES = (RESULTS, SAMPLES)
SCHEMA_VERSION = 1


def page(found: Mapping[Reward, Sequence[Summary]]) -> dict[str, Any]:
    """The results.json page; it holds no word of a report."""
    rewards = [
        {
            "reward": reward.name,
            "signature": reward.signature,
            "bounds": list(reward.bounds),
            "parts": [summary.to_json() for summary in parts],
        }
        for reward, parts in found.items()
    ]
    return {"schema_version": SCHEMA_VERSION, "rewards": rewards}


def write_rewards(
    folder: Path,
    rollouts: Sequence[Rollout],
    results: Mapping[Reward, Sequence[RewardResult]],
    found: Mapping[Reward, Sequence[Summary]],
) -> None:
    """Write the files of a run.

    Raises:
        OutputError: the folder can't be written.
    """
    components = list(dict.fromkeys(name for reward in results for name in reward.components))
    columns: list[Column] = [
        ("sample", "text"), ("part", "text"), ("reward", "text"), ("value", "float"), ("status", "text"),
        ("reason", "text"), *((name, "float") for name in components),
    ]  # fmt: skip
    with staged(folder, RESULTS, FILES) as staging:
        write_csv(staging.path(SAMPLES), columns, _rows(rollouts, results))
        write_bytes(staging.path(RESULTS), json_page(page(found)).encode("utf-8"))


def _rows(rollouts: Sequence[Rollout], results: Mapping[Reward, Sequence[RewardResult]]) -> Iterator[Row]:
    for reward, scored in results.items():
        for rollout, result in zip(rollouts, scored, strict=True):
            row = {
                "sample": harmless(rollout.place),
                "part": harmless(rollout.part),
                "reward": reward.name,
                "value": result.value,
                "status": result.status,
                "reason": harmless(result.reason),
            }
            yield row | dict(result.components)
