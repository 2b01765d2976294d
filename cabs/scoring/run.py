"""Many pairs → one result: streaming, over processes, resumable, written as it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cabs.errors import InputError, SettingError
from cabs.io.formula import asked
from cabs.io.journal import Journal, journal_path
from cabs.io.output import sweep
from cabs.scoring.backends import signed
from cabs.scoring.files import RunFiles, run_files
from cabs.scoring.judge import Plan, parser_name
from cabs.scoring.outcome import GROUPS, Outcome
from cabs.scoring.pacing import paced
from cabs.scoring.portion import Portion
from cabs.scoring.reference import ReferenceFacts
from cabs.scoring.result import Result
from cabs.scoring.resume import resumed
from cabs.scoring.source import Here, Source
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

FORMAT = 2
"""Of journals; one of another format is begun anew."""

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
        InputError: what reading the pairs raises; no file is left behind then. OutputError: an output can't be
            written, or another run is writing it; WorkerError: a worker died; UnavailableError: a service is gone. What
            is finished stays in the journal then, as after an interrupt or a kill, and the same run goes on from there.
    """
    if plan.waits and options.workers > 1:
        what = f"{options.workers} processes were asked for, and one asks a server for all"
        raise SettingError(what, place="workers", hint="leave it out; how much is asked at once is set at the server")
    facts = options.reference_facts
    return run_from(Here(pairs if facts is None else facts.into(pairs), options.workers), plan, options)


def run_from(source: Source, plan: Plan, options: Options) -> Result:
    """`run` of pairs that are judged anywhere; `options.workers` plays no part."""
    begun, facts = signature_of(plan, options, options.cluster), options.reference_facts
    if options.output is not None:  # the files always hold every breakdown
        plan = replace(plan, rows=True, groups=GROUPS)
    plan = replace(plan, keep=options.keep)
    with ExitStack() as stack:
        stack.enter_context(paced())
        journal = stack.enter_context(_journal(options.output, begun, plan))
        files = stack.enter_context(_files(options.output))
        if journal is not None and len(journal) and options.resumed is not None:
            options.resumed(len(journal))
        found = stack.enter_context(closing(resumed(source, plan, journal)))
        tallies, used, kept = _added(found, files, options.progress)
        cluster = options.cluster or (CLUSTER if tallies.clustered else None)
        signature = signature_of(plan, options, cluster, used)
        result = summarise(tallies, signature, plan.settings, options.resampling, plan.ontology)
        if facts is not None:
            result = replace(result, warnings=(*result.warnings, *facts.warnings(plan.ontology.content_hash)))
        if files is not None:
            files.finish(result)
    return replace(result, reports=tuple(kept))


def _added(
    portions: Iterable[Portion], files: RunFiles | None, progress: Progress | None
) -> tuple[Tallies, FactsUsed, list[Outcome]]:
    """The sum of all portions, their rows written on the way."""
    tallies, used, kept, done = Tallies(), FactsUsed(), [], 0  # type: Tallies, FactsUsed, list[Outcome], int
    for portion in portions:
        tallies.merge(portion.tallies)
        used.merge(portion.used)
        kept.extend(portion.kept)
        if files is not None and portion.rows is not None:
            files.add(portion.rows)
        for _ in range(portion.pairs):
            done += 1
            if progress is not None:
                progress(done)
    return tallies, used, kept


def _files(output: Path | None) -> AbstractContextManager[RunFiles | None]:
    return nullcontext() if output is None else run_files(output)


@contextmanager
def _journal(output: Path | None, signature: Signature, plan: Plan) -> Iterator[Journal | None]:
    """The journal of a run with an output, which holds its folder until it has ended."""
    if output is None:
        yield None
        return
    header = {"format": FORMAT, "signature": str(signature), "ontology": plan.ontology.content_hash}
    written = {"text": plan.text, "keep": plan.keep, "harmless": asked()}  # its rows stand as they were written
    journal = Journal(journal_path(output), {**header, **written})
    try:
        if journal.alone:
            sweep(output)
        yield journal
    except (InputError, SettingError):  # with other pairs it is another run: nothing is left behind
        journal.remove()
        raise
    except BaseException:
        if journal.empty:
            journal.remove()
        else:
            journal.close()
        raise
    journal.remove()
