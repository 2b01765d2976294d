"""What can be wrong with an ontology folder, as values: the loader raises the first, the lint lists them
all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cabs.errors import OntologyError

if TYPE_CHECKING:
    from cabs.ontology.ontology import Ontology


class Problem(NamedTuple):
    """A fault of the data: the file (relative to its folder), the record's id ("" for the file), what is wrong, and
    the line at which the record starts (0: unknown)."""

    file: str
    record: str
    message: str
    line: int = 0

    @property
    def place(self) -> str:
        """File, line and record."""
        file = f"{self.file}:{self.line}" if self.line else self.file
        return f"{file}: {self.record}" if self.record else file

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def problem(
    ontology: Ontology, kind: str, key: Any, message: str, *, name: str | None = None, text: str | None = None
) -> Problem:
    """A problem of one record, at its file and line; `name` is what it is called, its key by default.

    `text`: the words at fault. Where folders are laid over each other, the one that brought them in is named.
    """
    called = str(key) if name is None else name
    raw = ontology.origins.get((kind, key))
    if raw is None:
        return Problem(f"{kind}.yaml", called, message)
    layer = raw.where(text)
    return Problem(layer.file, called, message, layer.line)


def refuse(problems: Sequence[Problem]) -> None:
    """Raise OntologyError for the first problem, with the number of the others; nothing if there is none."""
    if not problems:
        return
    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    raise OntologyError(first.message + more, place=first.place, hint="`cabs ontology lint FOLDER` lists every problem")
