"""The scripted server as a process of its own, which outlives the runs that ask it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


@dataclass(frozen=True)
class Outside:
    """Where the server is, and the file in which it notes every answer that it has sent."""

    base_url: str
    log: Path

    def served(self, after: int = 0) -> list[str]:
        """What was asked, answer by answer, from the entry of this number on; probes are left out."""
        lines = self.log.read_text(encoding="utf-8").splitlines()[after:]
        return [said for _, _, said in map(json.loads, lines) if "</report " in said]

    def entries(self) -> int:
        """The number of entries so far."""
        return len(self.log.read_text(encoding="utf-8").splitlines()) if self.log.exists() else 0


@contextmanager
def outside(folder: Path, latency: float) -> Iterator[Outside]:
    """The server while the block runs; each answer comes after so many seconds."""
    port, log = folder / "port", folder / "served.jsonl"
    log.touch()
    command = [sys.executable, "-m", "benchmarks.llm.server", str(port), str(log), str(latency)]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        end = time.monotonic() + PATIENCE
        while not (port.exists() and port.read_text(encoding="utf-8")):
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the scripted server did not start")
            time.sleep(0.05)
        yield Outside(f"http://127.0.0.1:{port.read_text('utf-8')}/v1", log)
    finally:
        server.kill()
        server.wait()
