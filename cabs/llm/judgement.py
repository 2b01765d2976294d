"""A judgement as a server answered it → what became of each reference fact, with nothing taken on trust.

[TIF]'s protocol: the reference list is fixed, each of its facts is hit by at most one statement, without a hit nothing
matches, what is unmatched is a false positive. Source: arXiv 2605.20277, the judge of its repository, in other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cabs.llm.extraction import BESIDE, ELSEWHERE, NOT_VERBATIM, UNKNOWN_ORGAN
from cabs.llm.failure import RefusedError
from cabs.llm.quotes import Quotes, spoken_of
from cabs.llm.shapes import FalseSaid, JudgementSaid, VerdictSaid, shaped
from cabs.llm.terms import Terms, section_at
from cabs.matching.ruling import Ruling
from cabs.values import Fact, Issue, Section, Span

UNANSWERED = "unanswered"
"""The issue of a reference fact that the judge left out: it counts as missed."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A reference fact, by its number from 0, that the prediction states: what of it agrees, and where it is said."""

    at: int
    ruling: Ruling
    section: Section
    span: Span


@dataclass(frozen=True, slots=True)
class Extra:
    """An abnormality that only the prediction states."""

    name: str
    organ: str | None
    section: Section
    span: Span


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge found: hits in the order of the reference, false positives, and what of its answer was refused."""

    hits: tuple[Hit, ...]
    extra: tuple[Extra, ...]
    issues: tuple[Issue, ...]


def judged(said: str, facts: Sequence[Fact], text: str, terms: Terms, *, sections: bool = False) -> Judged:
    """The judgement of an answer on a text; fact n of `facts` went under the id `R{n + 1}`.

    A fact without a verdict is missed. A hit or a false positive without verbatim evidence that is to the point is
    refused, and so is, with `sections`, a hit that is said in another section. All of it is listed as issues.

    Raises:
        RefusedError: the answer has another shape, judges nothing, names an id that is not in the list or one twice, or
            all that it found is refused.
    """
    answer = shaped(said, JudgementSaid)
    verdicts = _by_number(answer.verdicts, len(facts))
    reader = _Reader(text, terms)
    hits: list[Hit] = []
    for at, fact in enumerate(facts):
        verdict = verdicts.get(at)
        if verdict is None:
            reader.issues.append(Issue(UNANSWERED, "the judge says nothing of a fact of the reference"))
        elif verdict.hit and (hit := reader.hit(at, fact, verdict, sections)) is not None:
            hits.append(hit)
    extra = tuple(found for item in answer.false_positives if (found := reader.extra(item)) is not None)
    claimed = sum(verdict.hit for verdict in verdicts.values()) + len(answer.false_positives)
    if claimed and not hits and not extra and reader.refused:
        raise RefusedError(f"none of its {claimed} quotes is evidence")
    return Judged(tuple(hits), extra, tuple(reader.issues))


def _by_number(verdicts: Sequence[VerdictSaid], facts: int) -> dict[int, VerdictSaid]:
    known = {f"R{n + 1}": n for n in range(facts)}
    found: dict[int, VerdictSaid] = {}
    for verdict in verdicts:
        at = known.get(verdict.id.strip())
        if at is None:
            raise RefusedError("it judges an id that is not in the list")
        if at in found:
            raise RefusedError("it judges an id twice")
        found[at] = verdict
    if facts and not found:
        raise RefusedError(f"it judges none of {facts} facts")
    return found


class _Reader:
    """Checks the quotes of one judgement against the text."""

    def __init__(self, text: str, terms: Terms) -> None:
        self.text, self.terms, self.issues = text, terms, list[Issue]()
        self._quotes, self._stretches = Quotes(text), terms.stretches(text)

    @property
    def refused(self) -> bool:
        """Whether a quote was."""
        return any(issue.code in (NOT_VERBATIM, BESIDE) for issue in self.issues)

    def hit(self, at: int, fact: Fact, said: VerdictSaid, sections: bool) -> Hit | None:
        """The hit of a verdict; None where it is refused."""
        found = self._evidence(said.evidence, fact.name)
        if found is None:
            return None
        section, span = found
        if sections and section != fact.section:
            self.issues.append(Issue(ELSEWHERE, "a hit is said in another section", span))
            return None
        return Hit(at, Ruling(said.location_match, said.attribute_match, said.certainty_match), section, span)

    def extra(self, said: FalseSaid) -> Extra | None:
        """The false positive of an item; None where it is refused."""
        found = self._evidence(said.evidence, said.name)
        if found is None:
            return None
        organ = self.terms.organ(said.organ)
        if organ is None and said.organ.strip().lower() not in ("", "unknown"):
            self.issues.append(Issue(UNKNOWN_ORGAN, "the answer names an organ that is not listed"))
        return Extra(" ".join(said.name.split()), organ, *found)

    def _evidence(self, quote: str, name: str) -> tuple[Section, Span] | None:
        span = self._quotes.find(quote)
        if span is None:
            self.issues.append(Issue(NOT_VERBATIM, "a quote of the answer is not in the text"))
            return None
        if not spoken_of(self.terms.knows, self.text[span.start : span.end], name):
            self.issues.append(Issue(BESIDE, "a quote names nothing that is known, nor the finding", span))
            return None
        section = section_at(self._stretches, span)
        if section is None:
            self.issues.append(Issue(ELSEWHERE, "a quote stands in a section that is not read", span))
            return None
        return section, span
