"""What all tests share: reproducible property tests and a way to run a process as a user does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run: a red build on one machine is red on the next one.
settings.register_profile(
    "cabs",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("cabs")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Run Python code in a new process, in an empty folder: `python("print(1)").stdout`."""

    def run(code: str, *flags: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *flags, "-c", code]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    return run
