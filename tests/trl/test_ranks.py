"""Two ranks of TRL, launched as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_a_rank_without_values_logs_like_the_other(tmp_path: Path, root: Path) -> None:
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    command = [*launch, "-m", "tests.trl.two_ranks", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    lines = [line for line in told["log"] if "reward" in line]
    assert [line["cabs/tif/unscorable"] for line in lines] == [0.5, 0.5]
    assert {len(values) for values in told["extra"].values()} == {8}
    assert told["extra"]["cabs/tif/status"].count("unscorable") == 4
