"""What a command must not write over: the files that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cabs.errors import OutputError
from cabs.io.output import writing

KNOWLEDGE = ("*.yaml", "*.yml")
"""The files of a folder that is read."""


def spare(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """See that no place to be written is a file that is read, whatever it is called: through a link, "./" or another
    spelling. An input that is a folder stands for its YAML files; None and "-" are no files.

    Raises:
        OutputError: one of them is; nothing has been written then.
    """
    read = [path for given in inputs if given is not None for path in _files(given)]
    for output in outputs:
        if output is None:
            continue
        with writing(output):
            same = next((path for path in read if _same(output, path)), None)
        if same is not None:
            what = "is read by this command" if output == same else f"is {same}, which is read by this command"
            raise OutputError(f"{what}, so it is not written over", place=str(output), hint="name another place")


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for pattern in KNOWLEDGE:
            yield from path.rglob(pattern)
    elif str(path) != "-":
        yield path


def _same(a: Path, b: Path) -> bool:
    """Whether two paths lead to one file. A device is written through and never lost."""
    if not (a.is_file() and b.is_file()):
        return False
    return a.resolve() == b.resolve() or os.path.samestat(a.stat(), b.stat())
