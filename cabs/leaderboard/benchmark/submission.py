"""A folder that takes part: predictions, and a small file that says whose they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cabs.checked import read_checked
from cabs.errors import InputError
from cabs.io.pairs import Reading, read_pairs
from cabs.leaderboard.about import About
from cabs.leaderboard.benchmark.definition import Definition
from cabs.leaderboard.benchmark.schema import SubmissionFile
from cabs.scoring.files import RESULTS
from cabs.values import Pair

FILE = "submission.yaml"
SAYS = "it says at least `system: NAME`; predictions.jsonl stands beside it"
COUNTED = "count"
"""The policy that counts a missing prediction as a report that says nothing."""


@dataclass(frozen=True, slots=True)
class Submission:
    """`folder` with its file's content."""

    folder: Path
    said: SubmissionFile

    @property
    def about(self) -> About:
        """Who takes part."""
        said = self.said
        return About(said.system, said.paper, said.link, said.licence, said.note)

    @property
    def predictions(self) -> Path:
        """The file of the predictions."""
        return self.folder / self.said.predictions

    def pairs(self, definition: Definition) -> Iterator[Pair]:
        """The predictions with the references that they belong to, under the system's name.

        Raises:
            InputError: a prediction can't be read, has no reference, comes twice or names another system, one is
                missing and the benchmark refuses that, or there is none at all.
        """
        how = Reading(allow_missing=definition.benchmark.missing == COUNTED)
        silent = True
        for pair in read_pairs(definition.references, self.predictions, how):
            silent = silent and pair.prediction is None
            if pair.system not in (None, self.said.system):
                what = f"the prediction is of system {pair.system!r}, {FILE} names {self.said.system!r}"
                raise InputError(what, place=pair.source, hint="a submission holds one system")
            yield replace(pair, system=self.said.system, extra={})
        if silent:
            hint = "each entry has an id and a prediction"
            raise InputError("there is no prediction", place=str(self.predictions), hint=hint)


def is_submission(folder: Path) -> bool:
    """Whether a folder says that it takes part."""
    return (folder / FILE).is_file()


def each(folders: Iterable[Path]) -> list[Path]:
    """The folders, one that holds submissions replaced by them, by name.

    Raises:
        InputError: a folder beside submissions is none, and would be left out in silence.
    """
    found: list[Path] = []
    for folder in folders:
        own = is_submission(folder) or (folder / RESULTS).is_file() or not folder.is_dir()
        inner = [] if own else sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
        none = [path for path in inner if not is_submission(path)]
        if none and len(none) < len(inner):
            raise InputError(f"there is no {FILE}", place=str(none[0]), hint=SAYS)
        found += [folder] if none else inner or [folder]
    return found


def read_submission(folder: Path) -> Submission:
    """The submission in a folder.

    Raises:
        InputError: its file is missing or says something else than it may, or the predictions are not in the folder.
    """
    if not is_submission(folder):
        raise InputError(f"there is no {FILE}", place=str(folder), hint=SAYS)
    found = Submission(folder, read_checked(folder / FILE, SubmissionFile))
    if not found.predictions.is_file():
        raise InputError(
            "no such file", place=str(found.predictions), hint=f"{FILE} can name another: predictions: FILE"
        )
    if not found.predictions.resolve().is_relative_to(folder.resolve()):
        what = "this is a link to a file outside the folder"
        raise InputError(what, place=str(found.predictions), hint="put the file itself into the folder")
    return found


def check_submission(submission: Submission, definition: Definition) -> tuple[int, int]:
    """Read a submission whole; how many predictions it has, and how many are missing.

    Raises:
        InputError: as `Submission.pairs`.
    """
    found = [pair.prediction is not None for pair in submission.pairs(definition)]
    return sum(found), len(found) - sum(found)
