"""Real runs on a CPU with a model of some forty thousand parameters; `make test-train` has an environment for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rewards.adapters.tiny import tiny_model, tiny_tokenizer

os.environ["HF_HUB_OFFLINE"] = "1"  # before a library of the hub is imported, which reads it once

TRAINER = {
    "num_generations": 2,
    "per_device_train_batch_size": 2,
    "per_device_eval_batch_size": 2,
    "max_completion_length": 8,
    "max_steps": 4,
    "save_steps": 2,
    "logging_steps": 1,
    "learning_rate": 0.05,
    "beta": 0.0,
    "use_cpu": True,
    "bf16": False,
    "disable_tqdm": True,
}
"""Of every run: two prompts, two texts each."""

SFT = {
    "max_steps": 4,
    "save_steps": 2,
    "per_device_train_batch_size": 2,
    "learning_rate": 0.01,
    "use_cpu": True,
    "bf16": False,
    "disable_tqdm": True,
    "logging_steps": 1,
}
"""Of every cold start."""

LETTERS = '''
"""A reward that differs from text to text: the share of the characters that are letters."""

from cabs.rewards import Example, Reward, RewardResult
from cabs.rewards.completion import answer_of
from cabs.rewards.reward import each


def score(example: Example) -> RewardResult:
    text = answer_of(example.completion).text
    share = sum(map(str.isalpha, text)) / max(len(text), 1)
    return RewardResult(share, {"letters": share})


def letters(name: str) -> Reward:
    return Reward(name=name, label="letters", range=(0.0, 1.0), components=("letters",), work=each(score, ("letters",)))
'''

Cabs = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model with its tokenizer."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tokenizer = tiny_tokenizer()
    tiny_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with a reward of another package: an untrained model earns nothing from ours."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "letters-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: letters\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cabs.rewards]\nletters = letters_reward:letters\n")
    (folder / "letters_reward.py").write_text(LETTERS)
    return folder


@pytest.fixture
def environment(root: Path, site: Path) -> dict[str, str]:
    """What every process of a run sees: nothing comes from a hub."""
    paths = os.pathsep.join([str(root), str(site)])
    return {**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "200"}


@pytest.fixture
def cabs(tmp_path: Path, environment: dict[str, str]) -> Cabs:
    """Run `cabs ARGS` in `tmp_path`."""

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cabs", *args]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)

    return run


@pytest.fixture(autouse=True)
def _of_this_process(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reward of the other package in this process too, as the first one that looks for rewards finds it."""
    monkeypatch.syspath_prepend(str(site))
