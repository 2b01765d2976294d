"""A plan → runs of `cabs train`, each a process, as many at a time as there are cores; what is finished stays."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.divergence.plan import Plan
from benchmarks.divergence.toy import make
from benchmarks.divergence.world import World

CPU = {"use_cpu": True, "bf16": False, "disable_tqdm": True, "logging_steps": 5, "gradient_checkpointing": False}
WAIT = 1.0
"""Seconds between looks at a cold start that another run makes."""


class RunFailedError(Exception):
    """A run of `cabs train` ended with an error; its log tells which."""


@dataclass(frozen=True)
class Job:
    """A reward and a seed, in a folder of all runs of the plan."""

    label: str
    reward: str
    seed: int
    root: Path

    @property
    def home(self) -> Path:
        """What all runs of a seed begin with."""
        return self.root / f"seed-{self.seed}"

    @property
    def name(self) -> str:
        """The run's name in files."""
        return self.label.replace(" ", "-")

    @property
    def output(self) -> Path:
        """Where `cabs train` works."""
        return self.home / self.name

    @property
    def model(self) -> Path:
        """What it ends with."""
        return self.output / "model"

    @property
    def cold(self) -> Path:
        """The cold start that it has made, if it is the first of its seed."""
        return self.output / "sft" / "model"

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""
        return (self.output / "finished.json").is_file()


def jobs(plan: Plan, root: Path) -> list[Job]:
    """Every run, those that make cold starts first."""
    return [Job(label, reward, seed, root) for label, reward in plan.rewards.items() for seed in plan.seeds]


def train(plan: Plan, world: World, root: Path, tell: Callable[[str], object]) -> list[Job]:
    """Do all runs that are not finished, one a core.

    Raises:
        RunFailedError: one has failed; what has run stays, and the same command goes on.
    """
    wanted = jobs(plan, root)
    for seed in plan.seeds:
        make(root / f"seed-{seed}", world, plan, seed)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1) as pool:
        for done in [pool.submit(_run, plan, job, tell) for job in wanted if not job.finished]:
            done.result()
    return wanted


def _run(plan: Plan, job: Job, tell: Callable[[str], object]) -> None:
    start = _start(plan, job)
    while not start.is_dir():
        time.sleep(WAIT)
    began, log = time.monotonic(), job.home / f"{job.name}.log"
    command = [sys.executable, "-m", "cabs", "train", str(written(plan, job, start))]
    with log.open("a", encoding="utf-8", newline="\n") as told:
        code = subprocess.run(command, stdout=told, stderr=told, env=_environment(), check=False).returncode
    if code:
        raise RunFailedError(f"{job.label}, seed {job.seed}: exit {code}, see {log}")
    tell(f"{job.label}, seed {job.seed}: {time.monotonic() - began:.0f} s")


def _start(plan: Plan, job: Job) -> Path:
    if job.label == plan.first:
        return job.home / "model"
    return job.home / plan.first / "sft" / "model"


def _environment() -> dict[str, str]:
    """One thread a process; nothing comes from a hub."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def written(plan: Plan, job: Job, start: Path) -> Path:
    """The configuration of a run, as a file."""
    path = job.home / f"{job.name}.yaml"
    path.write_text(yaml.safe_dump(dict(_config(plan, job, start)), sort_keys=False), encoding="utf-8", newline="\n")
    return path


def _config(plan: Plan, job: Job, start: Path) -> Iterator[tuple[str, Any]]:
    yield "model", {"path": str(start.relative_to(job.home))}
    yield "data", {"train": "train.jsonl", "eval": "eval.jsonl", "template": "{scan}"}
    yield "reward", {"name": job.reward}
    if job.label == plan.first:
        yield "sft", {"train": "sft.jsonl", "trainer": {**CPU, "save_strategy": "no", **plan.sft}}
    yield "trainer", {**CPU, "save_steps": plan.evaluation["every"], "save_total_limit": 1, **plan.trainer}
    yield "evaluation", dict(plan.evaluation)
    yield "output", job.name
    yield "seed", job.seed
