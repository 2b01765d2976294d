"""Many pairs → one result: streaming, over processes, resumable, written as it goes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cabs.errors import CabsError, SettingError, UnavailableError
from cabs.io.journal import Journal, journal_path
from cabs.scoring.backends import ahead, signed
from cabs.scoring.files import RunFiles, run_files
from cabs.scoring.judge import Plan, judging, parser_name
from cabs.scoring.outcome import GROUPS, Outcome
from cabs.scoring.pacing import paced
from cabs.scoring.pool import mapped
from cabs.scoring.reference import ReferenceFacts
from cabs.scoring.result import Result
from cabs.scoring.resume import resumed
from cabs.scoring.summary import summarise
from cabs.scoring.tally import Tallies
from cabs.scoring.used import NAME as FACTS_USED
from cabs.scoring.used import FactsUsed
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.values import Pair

if TYPE_CHECKING:
    from cabs.metrics.intervals import Resampling

CLUSTER = "cluster"
"""What the signature calls clusters that the pairs bring along without a column being named."""

FACTS = "facts"
"""The signature's name for the hash of reference facts."""

Progress = Callable[[int], None]
"""Told the number of pairs done so far, after each of them."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a run goes about its work; none of these but `resampling`, `cluster` and `reference_facts`
    changes a number.

    `cluster`: the name of the column that the pairs' clusters come from, for the signature. `output`: the
    folder for the files of the run. `resumed`: told how many pairs an unfinished run has done already.
    `keep`: hold the outcome of every pair in the result, with its facts. `reference_facts`: stand in for the
    references' texts.
    """

    resampling: Resampling
    workers: int = 1
    cluster: str | None = None
    output: Path | None = None
    keep: bool = False
    resumed: Progress | None = None
    reference_facts: ReferenceFacts | None = None
    progress: Progress | None = None


def signature_of(plan: Plan, options: Options, cluster: str | None, used: FactsUsed | None = None) -> Signature:
    """The signature of a run whose intervals are over the clusters of this name (None: over reports). `used`: the facts
    of a model that went into it."""
    parameters = [*plan.settings.items(), *options.resampling.items(), *signed(plan.parser, plan.aligner)]
    if cluster is not None:
        parameters.append(("cluster", cluster))
    if options.reference_facts is not None:
        parameters.append((FACTS, options.reference_facts.hash[:HASH_LENGTH]))
    if used is not None and used.told:
        parameters.append((FACTS_USED, used.hash[:HASH_LENGTH]))
    return sign(
        ontology_version=f"{plan.ontology.name}@{plan.ontology.version}",
        ontology_hash=plan.ontology.content_hash,
        parser=parser_name(plan.parser),
        parameters=parameters,
    )


def run(pairs: Iterable[Pair], plan: Plan, options: Options) -> Result:
    """Judge the pairs, add them up and, with an output folder, write the files of the run. Memory grows with
    the counts alone, unless the outcomes are kept.

    Raises:
        CabsError: what reading the pairs raises, an output that can't be written, or a worker that died. No
            file is left behind then; after an interrupt the journal stays, so that the same run can go on, and so it
            does where a service is gone (`UnavailableError`).
    """
    if plan.waits and options.workers > 1:
        what = f"{options.workers} processes were asked for, and one asks a server for all"
        raise SettingError(what, place="workers", hint="leave it out; how much is asked at once is set at the server")
    begun = signature_of(plan, options, options.cluster)
    facts = options.reference_facts
    pairs = pairs if facts is None else facts.into(pairs)
    if options.output is not None:  # the files always hold every breakdown
        plan = replace(plan, rows=True, groups=GROUPS)
    plan = replace(plan, keep=options.keep)
    tallies, used, kept = Tallies(), FactsUsed(), []
    with (
        paced(),
        _files(options.output) as files,
        _journal(options.output, begun, plan) as journal,
        closing(_outcomes(pairs, plan, options.workers, journal)) as outcomes,
    ):
        if journal is not None and len(journal) and options.resumed is not None:
            options.resumed(len(journal))
        for done, outcome in enumerate(outcomes, 1):
            tallies.add(outcome)
            used.add(outcome.id, outcome.system, outcome.used)
            if files is not None:
                files.add(outcome)
            if options.keep:
                kept.append(outcome)
            if options.progress is not None:
                options.progress(done)
        cluster = options.cluster or (CLUSTER if tallies.clustered else None)
        signature = signature_of(plan, options, cluster, used)
        result = summarise(tallies, signature, plan.settings, options.resampling, plan.ontology)
        if facts is not None:
            result = replace(result, warnings=(*result.warnings, *facts.warnings(plan.ontology.content_hash)))
        if files is not None:
            files.finish(result)
    return replace(result, reports=tuple(kept))


def _outcomes(
    pairs: Iterable[Pair], plan: Plan, workers: int, journal: Journal | None
) -> Generator[Outcome, None, None]:
    def judge(todo: Iterable[Pair]) -> Generator[Outcome, None, None]:
        return mapped(ahead(todo, plan.parser, plan.aligner), partial(judging, plan), workers)

    return judge(pairs) if journal is None else resumed(pairs, journal, judge)


def _files(output: Path | None) -> AbstractContextManager[RunFiles | None]:
    return nullcontext() if output is None else run_files(output)


@contextmanager
def _journal(output: Path | None, signature: Signature, plan: Plan) -> Iterator[Journal | None]:
    if output is None:
        yield None
        return
    header = {"signature": str(signature), "ontology": plan.ontology.content_hash, "text": plan.text}
    journal = Journal(journal_path(output), header)
    try:
        yield journal
    except UnavailableError:
        journal.close()
        raise
    except CabsError:  # the input or the output is at fault: nothing is left behind
        journal.remove()
        raise
    except BaseException:
        journal.close()
        raise
    journal.remove()
