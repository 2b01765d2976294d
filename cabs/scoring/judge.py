"""Parse both sides of a pair, align them, count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from cabs.errors import CabsError, UnavailableError
from cabs.matching import Alignment, CanonicalReport, Matcher, Settings
from cabs.metrics import By, Counts, Error, count, count_by, errors_of
from cabs.ontology import Ontology
from cabs.parsing import parse
from cabs.parsing.parser import NAME as RULES
from cabs.scoring.adopt import adopted
from cabs.scoring.backends import Aligned, Aligner, waits
from cabs.scoring.case import case_of
from cabs.scoring.outcome import GROUPS, Outcome
from cabs.scoring.quoted import QuoteReader
from cabs.scoring.rows import report_row
from cabs.scoring.used import hash_of
from cabs.values import OTHER, Issue, Pair, ParsedReport, QuotedReport

REMEMBERED = 2048
"""Texts kept as they are read and matched: a reference comes with every system, a model says one thing of many
studies."""

Parser = Callable[[str], ParsedReport]
"""What reads a text. A `CabsError` that it raises leaves the pair unscored, with its message as the
reason."""


def parser_name(parser: Parser | None) -> str:
    """The name of a parser in the signature; that of the rules for None."""
    if parser is None:
        return RULES
    name = getattr(parser, "name", None)
    return name if isinstance(name, str) else getattr(parser, "__qualname__", type(parser).__qualname__)


@dataclass(frozen=True, slots=True)
class Plan:
    """How pairs are judged; what a worker process needs to know.

    `groups`: what the counts are broken down by. `rows`: make the cells of the reports table. `text`: keep
    words of the reports in rows and errors. `keep`: keep the parsed reports. `parser`: reads the texts
    instead of the rules parser. `aligner`: reads and aligns pairs instead of the parser and the matcher.
    """

    ontology: Ontology
    settings: Settings = field(default_factory=Settings)
    groups: tuple[By, ...] = GROUPS
    rows: bool = False
    text: bool = True
    keep: bool = False
    parser: Parser | None = None
    aligner: Aligner | None = None

    @property
    def waits(self) -> bool:
        """Whether it asks others, who work on many pairs at once."""
        return waits(self.parser, self.aligner)


class Judge:
    """Judges one pair after another under one plan; its caches speed it up and never change an answer."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.matcher = Matcher(plan.ontology, plan.settings)
        self.parser: Parser = plan.parser or partial(parse, ontology=plan.ontology)
        self.quotes = QuoteReader(plan.ontology)
        self._text = lru_cache(REMEMBERED)(self._laid_out)

    def read(self, side: str | QuotedReport | ParsedReport) -> ParsedReport:
        """The facts of one side, whatever it is given as."""
        if isinstance(side, str):
            return self.parser(side)
        if isinstance(side, QuotedReport):
            return self.quotes.read(side)
        return adopted(side, self.plan.ontology)

    def judge(self, pair: Pair) -> Outcome:
        """The outcome of a pair. Never raises for what its reports say.

        Raises:
            UnavailableError: a service that the parser or the aligner asks is not to be had.
        """
        try:
            aligned = self.aligned(pair)
        except UnavailableError:
            raise
        except CabsError as error:
            return self._failed(pair, error)
        reference, prediction, alignment = aligned.reference, aligned.prediction, aligned.alignment
        counts = count(alignment, self.matcher)
        scored = bool(counts.reports)
        outcome = Outcome(
            id=pair.id,
            system=pair.system,
            cluster=pair.cluster,
            reason="" if scored else _why_unread(reference),
            silent=_silence(prediction) if scored else "",
            counts=counts,
            by={g: count_by(alignment, g, self.matcher) for g in self.plan.groups} if scored else {},
            errors=self._errors(alignment) if scored else (),
            issues=_issues(reference, prediction),
            reference=reference if self.plan.keep else None,
            prediction=prediction if self.plan.keep else None,
            used=hash_of(reference, prediction, alignment) if self.plan.waits else "",
        )
        return self._with_row(outcome, pair, reference, prediction, alignment)

    def aligned(self, pair: Pair) -> Aligned:
        """Both sides as they are read, and their alignment.

        Raises:
            CabsError: a side can't be read, or there is no alignment.
        """
        if self.plan.aligner is not None:
            return self.plan.aligner.align(pair)
        reference, ours = self._ready(pair.reference)
        prediction, theirs = (None, None) if pair.prediction is None else self._ready(pair.prediction)
        return Aligned(reference, prediction, self.matcher.align(ours, theirs))

    def _ready(self, side: str | QuotedReport | ParsedReport) -> tuple[ParsedReport, CanonicalReport]:
        """One side as it is read and as it is matched. Only the rules say of a text what they said before."""
        return self._text(side) if isinstance(side, str) and self.plan.parser is None else self._laid_out(side)

    def _laid_out(self, side: str | QuotedReport | ParsedReport) -> tuple[ParsedReport, CanonicalReport]:
        report = self.read(side)
        return report, self.matcher.canonical(report)

    def _failed(self, pair: Pair, error: CabsError) -> Outcome:
        who = "parser" if self.plan.aligner is None else "matcher"
        reason = f"{who} failed: {error.message}" if self.plan.text else f"{who} failed"
        outcome = Outcome(
            pair.id, pair.system, pair.cluster, reason, "", Counts(unscored=1), {}, (), {}, passing=error.passing
        )
        return self._with_row(outcome, pair)

    def _errors(self, alignment: Alignment) -> tuple[Error, ...]:
        errors = errors_of(alignment, self.plan.settings.kinds)
        return errors if self.plan.text else tuple(replace(e, name=self._label(e.entity)) for e in errors)

    def _label(self, entity: str) -> str:
        """An entity's name that is no word of a report: the ontology's own, "" for what it does not know."""
        return "" if entity == OTHER else self.plan.ontology.entity(entity).label

    def _with_row(
        self,
        outcome: Outcome,
        pair: Pair,
        reference: ParsedReport | None = None,
        prediction: ParsedReport | None = None,
        alignment: Alignment | None = None,
    ) -> Outcome:
        if not self.plan.rows:
            return outcome
        names = None if self.plan.text else self._label
        case = () if alignment is None or outcome.reason else case_of(alignment, self.plan.settings.kinds)
        row = report_row(outcome, pair, reference, prediction, case, self.plan.settings, names)
        return replace(outcome, row=row)


def _why_unread(reference: ParsedReport) -> str:
    first = next(iter(reference.issues), Issue("unread", "no fact and no statement of normality"))
    return f"reference unread: {first.code}"


def _silence(prediction: ParsedReport | None) -> str:
    if prediction is None:
        return "missing"
    return "" if prediction.read else "unread"


def _issues(reference: ParsedReport, prediction: ParsedReport | None) -> dict[str, int]:
    codes = [f"reference:{i.code}" for i in reference.issues]
    codes += [f"prediction:{i.code}" for i in prediction.issues] if prediction else []
    return dict(sorted(Counter(codes).items()))


def judging(plan: Plan) -> Callable[[Pair], Outcome]:
    """The function that judges pairs by a plan; each process makes its own."""
    return Judge(plan).judge
