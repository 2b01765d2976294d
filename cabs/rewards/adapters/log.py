"""Component means as JSON Lines, for trainers that plot the total alone.

Each line is the mean of some hundred samples of one reward in one process: `reward`, `process` (its id), `samples`,
`total` (samples of this process so far), then `mean`, the components and the shares of `cabs.rewards.adapters.means`.
Several processes may append to one file. A killed process loses what it had not written: less than a line holds.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock

from cabs.errors import OutputError
from cabs.rewards.adapters.means import means
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward

EVERY = 256
"""Samples a line."""

_LOGGER = logging.getLogger("cabs.rewards")


class RewardLog:
    """Gathers results and appends a line for every `every` of them. Thread-safe; never raises while it is used.

    Raises `OutputError` where the folder of the file is missing.
    """

    def __init__(self, path: str | Path, every: int = EVERY) -> None:
        self.path, self.every = Path(path), every
        if not self.path.parent.is_dir():
            raise OutputError("there is no such folder", place=str(self.path.parent), hint="make it first")
        self._lock = Lock()
        self._waiting: dict[str, tuple[Reward, list[RewardResult]]] = {}
        self._total: dict[str, int] = {}

    def add(self, name: str, reward: Reward, results: Sequence[RewardResult]) -> None:
        """Take results of a reward in; write where there are enough under this name."""
        with self._lock:
            _, waiting = self._waiting.setdefault(name, (reward, []))
            waiting.extend(results)
            if len(waiting) >= self.every:
                self._write(name)

    def flush(self) -> None:
        """Write what is waiting, as at the end of a process."""
        with self._lock:
            for name in list(self._waiting):
                self._write(name)

    def _write(self, name: str) -> None:
        reward, results = self._waiting.pop(name)
        if not results:
            return
        self._total[name] = self._total.get(name, 0) + len(results)
        counts = {"samples": len(results), "total": self._total[name]}
        line = {"reward": name, "process": os.getpid(), **counts, **means(reward, results)}
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as out:
                out.write(json.dumps(line) + "\n")
        except OSError as error:
            _LOGGER.warning("%s: component means could not be written: %s", self.path, error)


@lru_cache(maxsize=64)
def log_at(path: str) -> RewardLog:
    """The log of a file, one in a process; it writes the rest when the process ends.

    Raises:
        OutputError: the folder of the file is missing.
    """
    log = RewardLog(path)
    atexit.register(log.flush)
    return log
