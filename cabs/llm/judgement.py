"""A judgement as a server answered it → what became of each reference fact, with nothing taken on trust.

[TIF]'s protocol: the reference list is fixed, each of its facts is hit by at most one statement, without a hit nothing
matches, what is unmatched is a false positive. Source: arXiv 2605.20277, the judge of its repository, in other words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cabs.llm.extraction import BESIDE, ELSEWHERE, NOT_VERBATIM, UNKNOWN_ORGAN
from cabs.llm.failure import RefusedError
from cabs.llm.quotes import Quotes
from cabs.llm.shapes import JudgementSaid, VerdictSaid, shaped
from cabs.llm.stated import Claim, Statements, claim_named, claim_of
from cabs.llm.terms import Terms, section_at
from cabs.matching.ruling import Ruling
from cabs.values import Fact, Issue, Section, Span

UNANSWERED = "unanswered"
"""The issue of a reference fact that the judge left out: it counts as missed."""
USED = "evidence_used"
"""The issue of a quote whose every statement answers for another fact."""


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
    refused (see `cabs.llm.stated`), and so is, with `sections`, a hit that is said in another section. All of it is
    listed as issues.

    Raises:
        RefusedError: the answer has another shape, judges nothing, names an id that is not in the list or one twice, or
            all that it found is refused.
    """
    answer = shaped(said, JudgementSaid)
    verdicts = _by_number(answer.verdicts, len(facts))
    reader = _Reader(text, terms)
    reader.issues += [Issue(UNANSWERED, "the judge says nothing of a fact of the reference")] * (
        len(facts) - len(verdicts)
    )
    said_of = [at for at in sorted(verdicts) if verdicts[at].hit]
    claims = [(verdicts[at].evidence, claim_of(facts[at], terms)) for at in said_of]
    false = [(item.evidence, claim_named(item.name, terms)) for item in answer.false_positives]
    wanted = [facts[at].section if sections else None for at in said_of]
    found = reader.claimed([*claims, *false], [*wanted, *([None] * len(false))])
    hits = tuple(
        _hit(at, verdicts[at], reader.section(span), span)
        for at, span in zip(said_of, found, strict=False)
        if span is not None
    )
    extra = tuple(
        Extra(" ".join(item.name.split()), reader.organ(item.organ), reader.section(span), span)
        for item, span in zip(answer.false_positives, found[len(claims) :], strict=True)
        if span is not None
    )
    if not hits and not extra and reader.refused:
        raise RefusedError(f"none of its {len(found)} quotes is evidence")
    return Judged(hits, extra, tuple(reader.issues))


def _hit(at: int, said: VerdictSaid, section: Section, span: Span) -> Hit:
    return Hit(at, Ruling(said.location_match, said.attribute_match, said.certainty_match), section, span)


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
    """Checks the quotes of one judgement against the text, and gives each statement of it to one claim."""

    def __init__(self, text: str, terms: Terms) -> None:
        self.terms, self.issues, self.refused = terms, list[Issue](), 0
        self._stretches = terms.stretches(text)
        self._quotes = Quotes(text, lambda span: section_at(self._stretches, span) is not None)
        self._statements = Statements(text, terms)

    def claimed(self, claims: Sequence[tuple[str, Claim]], section: Sequence[Section | None]) -> list[Span | None]:
        """Where each quote is evidence of its claim, None where it is refused. `section`: the one in which it has to
        stand, if any."""
        placed = [
            replace(claim, places=self._places(quote, wanted))
            for (quote, claim), wanted in zip(claims, section, strict=True)
        ]
        found = self._statements.given(placed)
        for claim, place in zip(placed, found, strict=True):
            if claim.places and place is None:
                self._beside(claim)
        return found

    def section(self, span: Span) -> Section:
        """The section of a place that is read."""
        section = section_at(self._stretches, span)
        assert section is not None  # others are refused
        return section

    def organ(self, said: str) -> str | None:
        """The organ of a name; None where none is meant, or it is not listed."""
        organ = self.terms.organ(said)
        if organ is None and said.strip().lower() not in ("", "unknown"):
            self.issues.append(Issue(UNKNOWN_ORGAN, "the answer names an organ that is not listed"))
        return organ

    def _places(self, quote: str, wanted: Section | None) -> tuple[Span, ...]:
        found = self._quotes.places(quote)
        if not found:
            self._refuse(Issue(NOT_VERBATIM, "a quote of the answer is not in the text"))
            return ()
        read = [span for span in found if section_at(self._stretches, span) is not None]
        if not read:
            self._refuse(Issue(ELSEWHERE, "a quote stands in a section that is not read", found[0]))
            return ()
        kept = tuple(span for span in read if wanted in (None, section_at(self._stretches, span)))
        if not kept:  # a hit all the same, but none that counts: no fault of the quote
            self.issues.append(Issue(ELSEWHERE, "a hit is said in another section", read[0]))
        return kept

    def _beside(self, claim: Claim) -> None:
        if self._statements.to_the_point(claim):
            self._refuse(Issue(USED, "a quote states less than it is evidence of", claim.places[0]))
        else:
            self._refuse(Issue(BESIDE, "a quote states something else, or denies it", claim.places[0]))

    def _refuse(self, issue: Issue) -> None:
        self.issues.append(issue)
        self.refused += 1
