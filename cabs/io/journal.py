"""What a long run has finished so far, so that a later run of the same kind can go on from there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cabs.io.jsontext import json_line
from cabs.io.output import home_of, writing

Json = dict[str, Any]


def journal_path(folder: Path) -> Path:
    """Where the journal of a run that writes to `folder` stands."""
    return home_of(folder) / f".{folder.name}.cabs-partial"


class Journal:
    """Finished results by key, on disk; memory holds only their offsets.

    The first line is the run's header. A journal with another header is of another kind of run and is begun
    anew; from a line on that was cut off or damaged it is dropped.
    """

    def __init__(self, path: Path, header: Mapping[str, object]) -> None:
        self.path, self.offsets = path, {}  # type: Path, dict[str, int]
        first = json_line(header).encode() + b"\n"
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self.handle = path.open("r+b" if path.exists() else "w+b")
            self.end = self._load(first)
            if not self.end:
                self.handle.seek(0)
                self.end = self.handle.write(first)
            self.handle.truncate(self.end)

    def _load(self, first: bytes) -> int:
        """Fills the offsets; the number of bytes that are whole and of this run, 0 if the header is another
        one."""
        self.handle.seek(0)
        if self.handle.readline() != first:
            return 0
        at = len(first)
        for line in self.handle:
            key = _key(line)
            if key is None:
                break
            self.offsets[key] = at
            at += len(line)
        return at

    def __len__(self) -> int:
        return len(self.offsets)

    def __contains__(self, key: str) -> bool:
        return key in self.offsets

    def get(self, key: str) -> Json:
        """The result under a key that the journal has."""
        self.handle.seek(self.offsets[key])
        result: Json = json.loads(self.handle.readline().split(b"\t", 1)[1])
        return result

    def add(self, key: str, result: Mapping[str, object]) -> None:
        """Write a result under a key of plain characters."""
        line = f'"{key}"\t{json_line(result)}\n'.encode()
        with writing(self.path):
            self.handle.seek(self.end)
            self.handle.write(line)
            self.handle.flush()
        self.offsets[key] = self.end
        self.end += len(line)

    def close(self) -> None:
        """Leave the journal for a later run."""
        self.handle.close()

    def remove(self) -> None:
        """The run is finished: the journal is no longer needed."""
        self.handle.close()
        self.path.unlink(missing_ok=True)


def _key(line: bytes) -> str | None:
    """The key of a whole line; None for one that isn't."""
    try:
        quoted, result = line.decode().split("\t", 1)
        key = json.loads(quoted)
        whole = line.endswith(b"\n") and isinstance(json.loads(result), dict)
    except ValueError:  # also what is no UTF-8 or no JSON
        return None
    return key if whole and isinstance(key, str) else None
