"""`cabs.score`: the whole walk for a Python program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cabs.errors import SettingError
from cabs.io.pairs import Reading
from cabs.io.spare import spare
from cabs.matching import Settings
from cabs.metrics import By
from cabs.ontology import Ontology, load_ontology
from cabs.scoring.backends import Aligner
from cabs.scoring.files import FILES
from cabs.scoring.inputs import Pairs, pairs_from
from cabs.scoring.judge import Parser, Plan
from cabs.scoring.outcome import GROUPS
from cabs.scoring.reference import Facts, ReferenceFacts
from cabs.scoring.reference import reference_facts as read_reference_facts
from cabs.scoring.result import Result
from cabs.scoring.run import Options, Progress, run

if TYPE_CHECKING:
    from cabs.metrics.intervals import Resampling


def score(
    pairs: Pairs,
    *,
    ontology: Ontology | None = None,
    settings: Settings | None = None,
    resampling: Resampling | None = None,
    cluster: str | None = None,
    allow_missing: bool = False,
    reference_facts: str | Path | Mapping[str, Facts] | None = None,
    allow_missing_facts: bool = False,
    parser: Parser | None = None,
    matcher: Aligner | None = None,
    by: Sequence[By] = (),
    workers: int = 1,
    output: str | Path | None = None,
    text: bool = True,
    keep: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Score predictions against references.

    Args:
        pairs: `(reference, prediction)` tuples, dicts with these fields (and `id`, `system`, ...), `Pair`s, a pandas
            DataFrame with such columns, or the path of a file that `cabs score` reads.
        ontology: the knowledge to score with; the shipped one by default.
        settings: how facts are matched and counted.
        resampling: how intervals are made (`Resampling(n=0)`: none).
        cluster: the field that groups reports (patients) for the intervals.
        allow_missing: a prediction of None counts as a report that says nothing instead of being an error.
        reference_facts: checked facts that stand in for the references, by id: the path of a file (see
            `cabs.scoring.reference`), or a mapping from ids to facts. A pair needs no reference then.
        allow_missing_facts: a reference that has none is parsed from its text instead of being an error.
        parser: reads the texts instead of the rules parser; a `CabsError` of it leaves the pair unscored.
        matcher: reads and aligns pairs instead of the parser and the rules; see `cabs.scoring.backends`.
        by: what to break the counts down by too: "organ", "entity", "section", "kind".
        workers: processes. More than 1 needs a program that may be imported (`if __name__ == "__main__":`).
        output: a folder for the files of the run; `text`: False keeps every word of the reports out of them.
        keep: hold every report's facts, counts and errors in `Result.reports`.
        progress: called with the number of pairs done so far.

    Returns: scores, intervals, counts and errors of each system, with a signature.

    Raises:
        InputError: a pair can't be read; OutputError: the folder can't be written.
    """
    from cabs.metrics.intervals import Resampling as Default

    knowledge, how = ontology or load_ontology(), settings or Settings()
    plan = Plan(knowledge, how, _groups(by), text=text, parser=parser, aligner=matcher)
    facts = _facts(reference_facts, allow_missing_facts)
    options = Options(
        resampling=resampling or Default(),
        workers=workers,
        cluster=cluster,
        output=_place(output, (pairs, reference_facts)),
        keep=keep,
        reference_facts=facts,
        progress=progress,
    )
    return run(pairs_from(pairs, Reading(cluster, allow_missing, facts is not None)), plan, options)


def _place(output: str | Path | None, read: tuple[object, ...]) -> Path | None:
    """The folder to write, none of whose files is read."""
    if output is None:
        return None
    spare([Path(output) / name for name in FILES], [Path(p) for p in read if isinstance(p, str | Path)])
    return Path(output)


def _facts(source: str | Path | Mapping[str, Facts] | None, allow_missing: bool) -> ReferenceFacts | None:
    return None if source is None else read_reference_facts(source, allow_missing=allow_missing)


def _groups(by: Sequence[By]) -> tuple[By, ...]:
    unknown = [group for group in by if group not in GROUPS]
    if unknown:
        raise SettingError(f"{unknown[0]!r} is no breakdown", place="by", hint=f"any of: {', '.join(GROUPS)}")
    return tuple(group for group in GROUPS if group in by)
