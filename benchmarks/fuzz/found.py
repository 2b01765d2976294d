"""What the fuzzer finds: each fault once, with the input and the trace that lead to it."""

from __future__ import annotations

import traceback
from hashlib import sha256
from pathlib import Path

import cabs
from benchmarks.fuzz.target import Run

PACKAGE = str(Path(cabs.__file__).parent)


class Found:
    """Faults in a folder: `KEY.bin`, the shortest input, and `KEY.txt`, what it did."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(list(self.folder.glob("*.txt")))

    def again(self, run: Run) -> None:
        """Give a target what it once failed on; what it takes by now is no finding any more."""
        for path in sorted(self.folder.glob("*.bin")):
            try:
                run(path.read_bytes())
            except Exception:  # noqa: BLE001  # whatever it is, the finding stays
                continue
            path.unlink()
            path.with_suffix(".txt").unlink(missing_ok=True)

    def add(self, data: bytes, error: BaseException) -> None:
        """Keep an input, unless a shorter one has done the same."""
        self.say(data, _where(error), "".join(traceback.format_exception(error)))

    def say(self, data: bytes, kind: str, words: str) -> None:
        """Keep an input under the kind of fault that it is."""
        path = self.folder / f"{sha256(kind.encode()).hexdigest()[:12]}.bin"
        if path.exists() and path.stat().st_size <= len(data):
            return
        path.write_bytes(data)
        told = f"{kind}\n\n{words}"
        path.with_suffix(".txt").write_text(told, encoding="utf-8", newline="\n", errors="backslashreplace")


def _where(error: BaseException) -> str:
    """The kind of an error and the last line of the package that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames[-1:]
    return f"{type(error).__name__} in {Path(own[-1].filename).name}:{own[-1].lineno}" if own else type(error).__name__
