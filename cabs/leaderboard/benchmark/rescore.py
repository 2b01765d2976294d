"""Submissions and folders of results → the systems of a benchmark's board, all scored as its definition says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cabs.errors import InputError
from cabs.io.ids import some
from cabs.io.pairs import read_pairs
from cabs.leaderboard.benchmark.definition import FIX, Definition, signature
from cabs.leaderboard.benchmark.record import ALONE
from cabs.leaderboard.benchmark.submission import Submission, each, is_submission, read_submission
from cabs.leaderboard.comparable import same_signature
from cabs.leaderboard.entrant import Entrant
from cabs.leaderboard.results import read_results
from cabs.ontology import Ontology
from cabs.scoring.files import RESULTS
from cabs.scoring.judge import Plan
from cabs.scoring.known import Known
from cabs.scoring.run import Options, Progress, run
from cabs.signature import parse_signature

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Scorer:
    """Scores what takes part in a benchmark. `tell`: told what is going on; `progress`: how many reports are done."""

    definition: Definition
    ontology: Ontology
    workers: int = 1
    tell: Tell = lambda _: None
    progress: Progress | None = None

    def check(self) -> None:
        """See that scoring now gives results of the benchmark.

        Raises:
            InputError: the references or the signature are others than those that it was fixed to.
        """
        fixed = self.definition.benchmark.signature
        self.definition.check_references()
        if fixed is None:
            raise InputError("the benchmark has no signature yet", place=f"{self.definition.file}: signature", hint=FIX)
        now = parse_signature(signature(self.definition, self.ontology))
        same_signature(parse_signature(fixed), now, ("the benchmark", "this installation"))

    def entrant(self, folder: Path) -> list[Entrant]:
        """The systems of a folder: those of results as they are, a submission scored anew.

        Raises:
            InputError: see `read_results`, `read_submission`, and `Submission.pairs`; or results are of another
                benchmark.
        """
        if is_submission(folder):
            return [self._scored(read_submission(folder))]
        found = read_results(folder)
        fixed = parse_signature(self.definition.benchmark.signature or "")
        known = read_pairs(self.definition.references, how=ALONE)
        references = {pair.id: pair.reference for pair in known}
        for entrant in found:
            same_signature(fixed, entrant.contender.signature, ("the benchmark", f"system {entrant.name!r}"))
            other = sorted(entrant.ids ^ references.keys()) or _differing(entrant, references)
            if other:
                what = f"its reports are not those of the benchmark: {len(other)} differ, {some(other)}"
                raise InputError(what, place=str(folder), hint="score it against the benchmark's references")
        return found

    def _scored(self, submission: Submission) -> Entrant:
        self.tell(f"scoring {submission.said.system}")
        known = Known(self.ontology)
        plan = Plan(self.ontology, self.definition.settings)
        with tempfile.TemporaryDirectory(prefix="cabs-") as place:
            folder = Path(place) / "results"
            how = Options(
                self.definition.resampling,
                workers=self.workers,
                output=folder,
                reference_facts=self.definition.facts(known),
                progress=self.progress,
            )
            run(known.pairs(submission.pairs(self.definition)), plan, how)
            (found,) = read_results(folder, submission.about)
        return found


def _differing(entrant: Entrant, references: Mapping[str, object]) -> list[str]:
    """The ids whose reference is another text, as far as both texts are known."""
    texts = ((case, references[case.id]) for case in entrant.cases if case.reference is not None)
    return [case.id for case, text in texts if isinstance(text, str) and text != case.reference]


def entrants(folders: Sequence[Path], scorer: Scorer | None) -> list[Entrant]:
    """The systems of folders, or of folders of submissions; without a benchmark all of them hold results.

    Raises:
        InputError: a folder holds neither results nor a submission, or a submission where there is no benchmark.
    """
    folders = each(folders)
    if scorer is not None:
        scorer.check()
        return [entrant for folder in folders for entrant in scorer.entrant(folder)]
    found = []
    for folder in folders:
        if is_submission(folder) and not (folder / RESULTS).is_file():
            hint = "name the definition that it takes part in: --benchmark FILE"
            raise InputError(
                "this is a submission, which a benchmark's definition scores", place=str(folder), hint=hint
            )
        found += read_results(folder)
    return found
