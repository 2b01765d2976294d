"""What can be wrong with an ontology folder, as values: the loader raises the first, the lint lists them
all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cabs.errors import OntologyError


class Problem(NamedTuple):
    """A fault of the data: the file (relative to its folder), the record's id ("" for the file) and what is
    wrong."""

    file: str
    record: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.record}: {self.message}" if self.record else f"{self.file}: {self.message}"


def refuse(problems: Sequence[Problem]) -> None:
    """Raise OntologyError for the first problem, with the number of the others; nothing if there is none."""
    if not problems:
        return
    first = problems[0]
    place = f"{first.file}: {first.record}" if first.record else first.file
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    raise OntologyError(first.message + more, place=place, hint="`cabs ontology lint` lists every problem")
