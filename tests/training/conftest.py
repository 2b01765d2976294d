"""The command line in a process that has no torch and no TRL, whether they are installed or not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Cabs = Callable[..., subprocess.CompletedProcess[str]]

BARE = """
import sys
for name in ("accelerate", "datasets", "peft", "torch", "transformers", "trl", "verl"):
    sys.modules[name] = None
sys.argv[0] = "cabs"
from cabs.cli.app import main
main()
"""


@pytest.fixture
def cabs(tmp_path: Path, root: Path) -> Cabs:
    """Run `cabs ARGS` in `tmp_path`."""

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "200", "NO_COLOR": "1"}
        command = [sys.executable, "-c", BARE, *args]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env, check=False)

    return run
